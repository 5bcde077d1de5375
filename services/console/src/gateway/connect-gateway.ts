import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Actor, Answered, Asked, Gateway } from './gateway'

type Options = { url: string; token: string }

/** An admission takes up to 250 s and says so itself; everything else is there at once or not at all. */
const timeoutMsDefault = 8_000

/** Speaks to the gateway over HTTP as the console, naming the person who acts. */
export function connectGateway({ url, token }: Options): Gateway {
  async function request(actor: Actor, { method = 'GET', path, body, headers, signal, timeoutMs = timeoutMsDefault }: Asked) {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await fetch(`${url}/console${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'x-filmgate-person': actor.id,
          'x-filmgate-operator': encodeURIComponent(actor.email),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        redirect: 'error',
      })
    } catch (cause) {
      throw new Failure<Reason>('service_unavailable', { cause })
    }
  }

  async function ask<T>(actor: Actor, asked: Asked): Promise<Answered<T>> {
    const answer = await request(actor, asked)
    const body: unknown = await answer.json().catch(() => undefined)
    if (answer.ok) return { ok: true, status: answer.status, value: body as T }
    return refusalOf(answer, body)
  }

  return {
    ask,
    fetch: request,
    async get<T>(actor: Actor, path: string, options: Partial<Asked> = {}) {
      const answer = await ask<T>(actor, { path, ...options })
      if (answer.ok) return answer.value
      if (answer.status === 404) throw new Failure<Reason>('not_found')
      // A cursor that somebody has written by hand.
      if (answer.status === 400) throw new Failure<Reason>('invalid_request')
      throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code} to ${path}` })
    },
  }
}

function refusalOf(answer: Response, body: unknown): Answered<never> {
  const { code = 'service_unavailable', message = 'Filmgate can’t be reached just now.', details } = errorOf(body)
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return { ok: false, status: answer.status, code, message, details, ...(Number.isFinite(retryAfter) && { retryAfter }) }
}

type ErrorShape = { code?: string; message?: string; details?: Record<string, unknown> }

const errorOf = (body: unknown): ErrorShape => (body as { error?: ErrorShape } | undefined)?.error ?? {}
