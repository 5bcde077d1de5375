import { Elysia } from 'elysia'
import { Failure, type Reasons } from './failure'
import type { Log } from './log'
import { isTransient } from './postgres'

/** What the renderer needs of a service's table besides its own reasons. */
type Framework = {
  not_found: readonly [number, string]
  invalid_json: readonly [number, string]
  internal_error: readonly [number, string]
}

/** The one place where anything thrown becomes an ErrorResponse. What it doesn't know is 500 with fixed words; the detail goes to the log. */
export const renderError = (log: Pick<Log, 'error'>, reasons: Reasons & Framework) =>
  new Elysia({ name: 'render-error' }).onError({ as: 'global' }, function renderError({ error, code, set, request }) {
    const failure = error instanceof Failure ? error : (frameworkFailure(code) ?? passingFailure(error))
    const known = failure && reasons[failure.reason]
    if (!known) log.error({ err: error, method: request.method, path: new URL(request.url).pathname }, 'request failed')
    else if (failure.options.cause)
      log.error({ err: failure.options.cause, reason: failure.reason, path: new URL(request.url).pathname }, 'request refused')
    const [status, message] = known ?? reasons.internal_error
    set.status = status
    set.headers['content-type'] = 'application/json'
    if (known && failure.options.retryAfterSeconds !== undefined) set.headers['retry-after'] = String(failure.options.retryAfterSeconds)
    return errorBody(
      known ? failure.reason : 'internal_error',
      (known && failure.options.message) || message,
      known && failure.options.details,
    )
  })

/** The ErrorResponse of the contract. */
export const errorBody = (code: string, message: string, details?: object) => ({ error: { code, message, ...(details && { details }) } })

function frameworkFailure(code: unknown): Failure | undefined {
  if (code === 'NOT_FOUND') return new Failure('not_found')
  if (code === 'PARSE') return new Failure('invalid_json')
  // A service that has no such reason meets its own routes' faults as 500: it did not mean to be called so.
  if (code === 'VALIDATION') return new Failure('invalid_request')
  return undefined
}

const passingRetrySeconds = 5

/** A backend that does not answer is no fault of the request: the caller may try again. */
function passingFailure(error: unknown): Failure | undefined {
  return isTransient(error) ? new Failure('service_unavailable', { retryAfterSeconds: passingRetrySeconds, cause: error }) : undefined
}
