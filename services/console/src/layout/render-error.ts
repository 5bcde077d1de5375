import { isTransient } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { errorBody } from '@filmgate/kit/http/render-error'
import { noteRequest } from '@filmgate/kit/http/spans'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { type Reason, reasons } from '../errors'
import { safePath } from '../http/safe-path'
import { errorPage, type Help } from './error-page'

const retrySeconds = 5

const helps: Partial<Record<Reason, Help>> = {
  sign_in_locked: { label: 'Get a link that lets this browser sign in', path: '/sign-in/unlock' },
}

/**
 * Turns every error into a response: a page for a browser, an ErrorResponse for a script. A signed-out visitor is
 * redirected to the sign-in.
 */
export const renderError = (log: Pick<Log, 'error'>) =>
  new Elysia({ name: 'render-error' }).onError({ as: 'global' }, function renderError({ error, code, set, request }) {
    const failure = toFailure(error, code)
    if (!failure || failure.options.cause)
      log.error({ err: failure?.options.cause ?? error, method: request.method, path: new URL(request.url).pathname }, 'request failed')
    const reason = failure?.reason ?? 'internal_error'
    const [status, message] = reasons[reason]
    noteRequest(request, { code: reason })
    set.status = status
    if (status === 503 || failure?.options.retryAfterSeconds !== undefined)
      set.headers['retry-after'] = String(failure?.options.retryAfterSeconds ?? retrySeconds)
    const text = failure?.options.message ?? message
    if (!wantsPage(request)) {
      set.headers['content-type'] = 'application/json'
      return errorBody(reason, text, failure?.options.details)
    }
    if (reason === 'signed_out') {
      set.status = 303
      set.headers.location = `/sign-in?next=${encodeURIComponent(returnPath(request))}`
      return ''
    }
    if (reason === 'confirm_first') {
      set.status = 303
      set.headers.location = `/security/confirm?next=${encodeURIComponent(formPath(request))}`
      return ''
    }
    set.headers['content-type'] = 'text/html; charset=utf-8'
    return errorPage(status, text, String(set.headers['x-request-id'] ?? ''), helps[reason])
  })

/** Where to go after the sign-in. A submitted form can't be repeated, so it returns to the start page. */
const returnPath = (request: Request): string => {
  const { pathname, search } = new URL(request.url)
  return request.method === 'GET' ? `${pathname}${search}` : '/'
}

/** The page of a submitted form, taken from the Referer if it is ours. */
function formPath(request: Request): string {
  if (request.method === 'GET') return returnPath(request)
  const from = URL.parse(request.headers.get('referer') ?? '')
  return from?.host === new URL(request.url).host ? safePath(`${from.pathname}${from.search}`) : '/security'
}

const wantsPage = ({ headers }: Request): boolean => (headers.get('accept') ?? '').includes('text/html')

function toFailure(error: unknown, code: unknown): Failure<Reason> | undefined {
  if (error instanceof Failure) return error.reason in reasons ? (error as Failure<Reason>) : undefined
  if (code === 'NOT_FOUND') return new Failure<Reason>('not_found')
  if (code === 'PARSE' || code === 'VALIDATION') return new Failure<Reason>('invalid_form')
  return isTransient(error) ? new Failure<Reason>('service_unavailable', { cause: error }) : undefined
}
