import type { ErrorBody } from '@filmgate/kit/http/render-error'
import type { Issue } from '../issues/issue'

const types: Record<number, string> = { 402: 'insufficient_quota', 429: 'rate_limit_error' }

/** A refusal in OpenAI's shape: `param` is the first field that it is about. Where it has details, they are those of an ErrorResponse. */
export function openAiError(status: number, { error: { code, message, details } }: ErrorBody) {
  const { issues = [], field = null } = (details ?? {}) as { issues?: Issue[]; field?: string | null }
  return {
    error: {
      message: issues.length > 0 ? issues.map(issue => issue.message).join('; ') : message,
      type: types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param: issues.find(({ path }) => path !== '')?.path ?? field,
      code,
      ...(details && { details }),
    },
  }
}

/** Refusals of the paths of OpenAI's API. Its clients send again what was refused with 409, which here stays refused. */
export function shapeOpenAi({ url }: Request, status: number, body: ErrorBody) {
  if (!/^https?:\/\/[^/]*\/openai\/v1(?:[/?]|$)/.test(url)) return undefined
  return { body: openAiError(status, body), headers: status === 409 ? { 'x-should-retry': 'false' } : ({} as Record<string, string>) }
}
