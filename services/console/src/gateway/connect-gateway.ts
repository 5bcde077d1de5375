import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Actor, Gateway, GatewayRequest, GatewayResult } from './gateway'

type Options = { url: string; token: string }

/** Admission takes up to 250 s and sets its own timeout. Everything else must answer quickly. */
const timeoutMsDefault = 8_000

/** HTTP client of the gateway's internal API. Each request names the person who acts. */
export function connectGateway({ url, token }: Options): Gateway {
  async function send(actor: Actor, { method = 'GET', path, body, headers, signal, timeoutMs = timeoutMsDefault }: GatewayRequest) {
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

  async function request<T>(actor: Actor, input: GatewayRequest): Promise<GatewayResult<T>> {
    const answer = await send(actor, input)
    const body: unknown = await answer.json().catch(() => undefined)
    if (answer.ok) return { ok: true, status: answer.status, value: body as T }
    return errorResult(answer, body)
  }

  return {
    request,
    fetch: send,
    async get<T>(actor: Actor, path: string, options: Partial<GatewayRequest> = {}) {
      const answer = await request<T>(actor, { path, ...options })
      if (answer.ok) return answer.value
      if (answer.status === 404) throw new Failure<Reason>('not_found')
      // An invalid cursor, typed by hand.
      if (answer.status === 400) throw new Failure<Reason>('invalid_request')
      throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code} to ${path}` })
    },
  }
}

function errorResult(answer: Response, body: unknown): GatewayResult<never> {
  const { code = 'service_unavailable', message = 'Filmgate is not available at the moment.', details } = errorOf(body)
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return { ok: false, status: answer.status, code, message, details, ...(Number.isFinite(retryAfter) && { retryAfter }) }
}

type ErrorShape = { code?: string; message?: string; details?: Record<string, unknown> }

const errorOf = (body: unknown): ErrorShape => (body as { error?: ErrorShape } | undefined)?.error ?? {}
