import { Elysia } from 'elysia'
import { isTransient } from '../database/postgres'
import { ClientGoneError, Failure, type Reasons } from '../failure'
import { bearerToken } from '../request/require-bearer'
import type { Log } from '../telemetry/log'
import { noteRefusal } from './spans'

/** What the renderer needs of a service's table besides its own reasons. */
type Framework = {
  not_found: readonly [number, string]
  invalid_json: readonly [number, string]
  internal_error: readonly [number, string]
}

/** As proxies count them: the client left before it was answered. */
const clientGoneStatus = 499
/** Of a refusal that passes and says nothing else. */
const passingRetrySeconds = 5

export type ErrorBody = ReturnType<typeof errorBody>

export type RenderOptions = {
  /** Words for this request in place of the table's. */
  wordsFor?(reason: string, request: Request): string | undefined
  /** The refusal as this request's API has it, where that is another shape. */
  shapeFor?(request: Request, status: number, body: ErrorBody): { body: object; headers: Record<string, string> } | undefined
}

/** The one place where anything thrown becomes an ErrorResponse. What it doesn't know is 500 with fixed words; the detail goes to the log. */
export const renderError = (log: Pick<Log, 'error'>, reasons: Reasons & Framework, { wordsFor, shapeFor }: RenderOptions = {}) =>
  new Elysia({ name: 'render-error' }).onError({ as: 'global' }, function renderError({ error, code, set, request }) {
    if (isClientGone(error, request)) {
      set.status = clientGoneStatus
      const body = errorBody('client_closed_request', 'The client closed the connection.')
      noteRefusal(request, body.error.code, body)
      return body
    }
    const failure = error instanceof Failure ? error : (frameworkFailure(code) ?? passingFailure(error))
    const known = failure && reasons[failure.reason]
    if (!known) log.error({ err: error, method: request.method, path: pathOf(request) }, 'request failed')
    else if (failure.options.cause)
      log.error({ err: failure.options.cause, reason: failure.reason, path: pathOf(request) }, 'request refused')
    const [status, message] = known ?? reasons.internal_error
    const reason = known ? failure.reason : 'internal_error'
    const options = known ? failure.options : {}
    set.status = status
    set.headers['content-type'] = 'application/json'
    const retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 ? passingRetrySeconds : undefined)
    if (retryAfterSeconds !== undefined) set.headers['retry-after'] = String(retryAfterSeconds)
    if (status === 401) set.headers['www-authenticate'] = challengeTo(request)
    const body = errorBody(reason, options.message ?? wordsFor?.(reason, request) ?? message, options.details)
    const shaped = shapeFor?.(request, status, body)
    noteRefusal(request, reason, shaped?.body ?? body)
    if (!shaped) return body
    Object.assign(set.headers, shaped.headers)
    return shaped.body
  })

/** Without the token of a callback, which only its provider may know. */
const pathOf = ({ url }: Request): string => new URL(url).pathname.replace(/^(\/hooks\/[^/]*\/).+/, '$1…')

/** RFC 6750: who sent no token, or another scheme, is told how; who sent one that it is not valid. */
const challengeTo = ({ headers }: Request): string =>
  bearerToken(headers) ? 'Bearer realm="filmgate", error="invalid_token"' : 'Bearer realm="filmgate"'

/** What reads the body of a client that leaves fails with the runtime's own AbortError; what waits says so itself. */
const isClientGone = (error: unknown, request: Request): boolean =>
  error instanceof ClientGoneError || (request.signal.aborted && error instanceof Error && error.name === 'AbortError')

/** The ErrorResponse of the contract. */
export const errorBody = (code: string, message: string, details?: object) => ({ error: { code, message, ...(details && { details }) } })

function frameworkFailure(code: unknown): Failure | undefined {
  if (code === 'NOT_FOUND') return new Failure('not_found')
  if (code === 'PARSE') return new Failure('invalid_json')
  // A service that has no such reason meets its own routes' faults as 500: it did not mean to be called so.
  if (code === 'VALIDATION') return new Failure('invalid_request')
  return undefined
}

/** A backend that does not answer is no fault of the request: the caller may try again. */
function passingFailure(error: unknown): Failure | undefined {
  return isTransient(error) ? new Failure('service_unavailable', { retryAfterSeconds: passingRetrySeconds, cause: error }) : undefined
}
