import { isTransient } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { errorBody } from '@filmgate/kit/http/render-error'
import { noteRequest } from '@filmgate/kit/http/spans'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { safePath } from '../door/safe-path'
import { type Reason, reasons } from '../errors'
import { faultPage } from './fault-page'

const retrySeconds = 5

/** The one place where anything thrown becomes an answer: a page for a person, an ErrorResponse for a script. Who is signed out is led to the sign-in. */
export const renderFault = (log: Pick<Log, 'error'>) =>
  new Elysia({ name: 'render-fault' }).onError({ as: 'global' }, function renderFault({ error, code, set, request }) {
    const failure = failureOf(error, code)
    if (!failure || failure.options.cause)
      log.error({ err: failure?.options.cause ?? error, method: request.method, path: new URL(request.url).pathname }, 'request failed')
    const reason = failure?.reason ?? 'internal_error'
    const [status, message] = reasons[reason]
    noteRequest(request, { code: reason })
    set.status = status
    if (status === 503 || failure?.options.retryAfterSeconds !== undefined)
      set.headers['retry-after'] = String(failure?.options.retryAfterSeconds ?? retrySeconds)
    const words = failure?.options.message ?? message
    if (!wantsPage(request)) {
      set.headers['content-type'] = 'application/json'
      return errorBody(reason, words, failure?.options.details)
    }
    if (reason === 'signed_out') {
      set.status = 303
      set.headers.location = `/sign-in?next=${encodeURIComponent(nextOf(request))}`
      return ''
    }
    if (reason === 'confirm_first') {
      set.status = 303
      set.headers.location = `/security/confirm?next=${encodeURIComponent(formOf(request))}`
      return ''
    }
    set.headers['content-type'] = 'text/html; charset=utf-8'
    return faultPage(status, words, String(set.headers['x-request-id'] ?? ''))
  })

/** A form that was sent can't be sent again after the sign-in: its page is shown again. */
const nextOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url)
  return request.method === 'GET' ? `${pathname}${search}` : '/'
}

/** The page that a form stood on, where the browser says which of ours it was. */
function formOf(request: Request): string {
  if (request.method === 'GET') return nextOf(request)
  const from = URL.parse(request.headers.get('referer') ?? '')
  return from?.host === new URL(request.url).host ? safePath(`${from.pathname}${from.search}`) : '/security'
}

const wantsPage = ({ headers }: Request): boolean => (headers.get('accept') ?? '').includes('text/html')

function failureOf(error: unknown, code: unknown): Failure<Reason> | undefined {
  if (error instanceof Failure) return error.reason in reasons ? (error as Failure<Reason>) : undefined
  if (code === 'NOT_FOUND') return new Failure<Reason>('not_found')
  if (code === 'PARSE' || code === 'VALIDATION') return new Failure<Reason>('invalid_form')
  return isTransient(error) ? new Failure<Reason>('service_unavailable', { cause: error }) : undefined
}
