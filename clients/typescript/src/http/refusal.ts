import { FilmgateError, type FilmgateErrorCode } from '../error.ts'
import type { Connection } from './connection.ts'
import { type Limit, resumeWords } from './limit.ts'
import { retryAfterOf } from './retry.ts'

/** Why there is no answer. */
export function notReached(cause: unknown, limit: Limit): FilmgateError {
  const { taskId, idempotencyKey, outcomeUnknown } = limit
  const words = cause instanceof Error ? cause.message : String(cause)
  const message = `No answer of the API (${words}).${resumeWords(limit)}`
  return new FilmgateError({ code: 'connection_failed', message, cause, taskId, idempotencyKey, outcomeUnknown })
}

/** What the API refused, or something in front of it. `limit.outcomeUnknown`: of the attempts before. */
export function refusal(
  { baseUrl }: Connection,
  { status, headers }: Response,
  body: unknown,
  limit: Limit,
  creates = false,
): FilmgateError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const { code, message, details } = error
  const isOfApi = typeof code === 'string'
  const told = isOfApi ? (code as FilmgateErrorCode) : 'unexpected_answer'
  const outcomeUnknown = creates && isOpenAfter(told, status, limit.outcomeUnknown ?? false)
  const words = typeof message === 'string' ? message : `The answer (${status}) is not one of this API.`
  const isElsewhere = (!isOfApi || code === 'not_found') && !baseUrl.endsWith('/api/v1')
  const named = isRecord(details) && typeof details.task_id === 'string' ? details.task_id : undefined
  const context = { taskId: named ?? limit.taskId, idempotencyKey: limit.idempotencyKey, outcomeUnknown }
  const elsewhere = isElsewhere ? " The base URL (FILMGATE_URL) usually ends in /api/v1, and this one doesn't." : ''
  return new FilmgateError({
    code: told,
    message: `${words}${elsewhere}${outcomeUnknown ? resumeWords(context) : ''}`,
    status,
    details,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(headers.get('retry-after')),
    ...context,
  })
}

/** The gateway looks for the Idempotency-Key before it refuses by these statuses: then no earlier attempt made a task. */
const afterLookUp = [400, 402, 409, 429]
/** Except by these codes, which say nothing of an earlier attempt. */
const beforeLookUp: string[] = [
  ...['rate_limited', 'invalid_http', 'too_many_pipelined', 'invalid_content_type', 'invalid_json'],
  ...['missing_idempotency_key', 'invalid_idempotency_key'],
]

/** Whether there may be a task after this answer to a POST, and after what was not known before it. */
function isOpenAfter(code: FilmgateErrorCode, status: number, earlier: boolean): boolean {
  if (code === 'generation_unavailable') return false
  if (code === 'unexpected_answer' || status >= 500 || status === 408) return true
  return earlier && (!afterLookUp.includes(status) || beforeLookUp.includes(code))
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
