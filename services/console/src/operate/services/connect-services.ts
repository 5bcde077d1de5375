import { readAnswer } from '@filmgate/proto/operator/answer'
import type { TSchema } from '@sinclair/typebox'
import type { Readiness, Service, ServiceError, ServiceRequest, Services, ServiceUrls } from './services'

type Options = { urls: ServiceUrls; token: string }
type ErrorBody = { error?: { code?: string; message?: string; details?: { issues?: { message?: string }[] } } }

const timeoutMsDefault = 15_000
const readinessTimeoutMs = 2_000

/** HTTP client of the services' operator routes. Each request names the operator. */
export const connectServices = ({ urls, token }: Options): Services => ({
  async ask<S extends TSchema>(actor: { email: string }, service: Service, question: ServiceRequest<S>) {
    const { method = 'GET', path, body, timeoutMs = timeoutMsDefault } = question
    try {
      const answer = await fetch(`${urls[service]}/operator${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          // Headers allow only ASCII; the services decode it.
          'x-filmgate-operator': encodeURIComponent(actor.email),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      })
      const value: unknown = await answer.json()
      const { ok, status } = answer
      if (!ok) return serviceError(service, status, value)
      const read = readAnswer(question.answer, value)
      return read.ok ? { ...read, status } : { ok: false, service, status, code: '', message: read.fault }
    } catch {
      return { ok: false, service, status: undefined, code: '', message: 'no answer' }
    }
  },
  async readiness(service) {
    try {
      const answer = await fetch(`${urls[service]}/readyz`, { signal: AbortSignal.timeout(readinessTimeoutMs), redirect: 'error' })
      const { missing = [] } = (await answer.json()) as { missing?: string[] }
      return { service, state: answer.ok ? 'ready' : 'starting', missing } satisfies Readiness
    } catch {
      return { service, state: 'silent', missing: [] } satisfies Readiness
    }
  },
})

/** Includes the messages of the field issues. */
function serviceError(service: Service, status: number, body: unknown): ServiceError {
  const { code = '', message = `status ${status}`, details } = (body as ErrorBody | undefined)?.error ?? {}
  const issues = (details?.issues ?? []).flatMap(issue => (issue.message ? [issue.message] : []))
  return { ok: false, service, status, code, message: [message, ...issues].join(' ') }
}
