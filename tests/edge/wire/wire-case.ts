/** What may come of a request: an answer of one of these statuses, or any refusal, or also a close without a word where nobody is left to read one. */
export type WireCase = { name: string; bytes: string; expects: number[] | 'refusal' | 'refusal or close' | 'answer'; halfClose?: true }

export type Target = { host: string; apiKey: string }

/** `before` the body; bytes are written as they are, a character a byte. */
export const head = ({ host, apiKey }: Target, method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\n${more}\r\n`

export const json = 'Content-Type: application/json\r\n'
export const estimatePath = '/api/v1/video/estimate'
export const estimateBody = '{"model":"alpha-h3-fast","prompt":"x"}'
