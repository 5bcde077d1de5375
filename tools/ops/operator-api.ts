import { readAnswer } from '@filmgate/proto/operator/answer'
import type { Static, TSchema } from '@sinclair/typebox'
import { OpsFault } from './fault'
import { type OperatorSettings, type Service, urlVariables } from './settings'

const requestTimeoutMs = 30_000

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Call = (service: Service, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: Json) => Promise<Json>

/** Speaks to the /operator routes of the services in the name of whoever asks. Never repeats a call: some of them move money. */
export function operatorApi({ urls, operatorToken, tokenFrom }: OperatorSettings, by: string | undefined): Call {
  return async (service, method, path, body) => {
    if (!urls[service]) throw new OpsFault(`Set ${urlVariables[service]}: without it the ${service} can't be asked.`)
    const url = `${urls[service]}/operator${path}`
    const headers = {
      authorization: `Bearer ${operatorToken}`,
      // A header takes ASCII alone.
      ...(by && { 'x-filmgate-operator': encodeURIComponent(by) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const init = {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    }
    const response = await fetch(url, init).catch((error: Error) => {
      throw new OpsFault(
        `The ${service} doesn't answer at ${urls[service]} (${error.message}); \`bun run stack status\` shows whether it runs.`,
      )
    })
    const text = await response.text()
    if (response.status === 401)
      throw new OpsFault(
        `The ${service} does not know this operator token${tokenFrom ? ` (FILMGATE_OPERATOR_TOKEN of ${tokenFrom})` : ''}: it was revoked, or is of another installation.`,
        401,
      )
    if (!response.ok) throw new OpsFault(`The ${service} refused: ${response.status} ${wordsOf(text)}`, response.status)
    return text ? (JSON.parse(text) as Json) : null
  }
}

/** Calls, and reads the answer as of this form: a service of another version may have another. */
export async function callFor<S extends TSchema>(call: Call, answer: S, ...request: Parameters<Call>): Promise<Static<S>> {
  const read = readAnswer(answer, await call(...request))
  if (read.ok) return read.value
  throw new OpsFault(`The ${request[0]} answered in another form (${read.fault}); where it was to do something, it may have.`, 200)
}

function wordsOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: string; message?: string; details?: unknown } }
    const details = error?.details ? ` ${JSON.stringify(error.details)}` : ''
    return error?.code ? `${error.code}: ${error.message}${details}` : text
  } catch {
    return text.slice(0, 500)
  }
}
