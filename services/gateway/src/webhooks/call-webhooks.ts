import { Failure } from '@filmgate/kit/failure'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Reason } from '../errors'

export type WebhooksCall = { method: string; path: string; body?: unknown; timeoutMs?: number }
/** Calls the webhooks service. Its refusals are failures of the gateway. */
export type CallWebhooks = (call: WebhooksCall) => Promise<{ status: number; body: unknown }>

const timeoutMsMax = 5_000
const retryAfterSeconds = 5

const text = (maxLength: number) => Type.String({ maxLength })
const Refusal = Type.Object({
  error: Type.Object({
    code: text(100),
    details: Type.Optional(
      Type.Object({
        issues: Type.Optional(Type.Array(Type.Object({ path: text(200), rule: text(100), message: text(500) }), { maxItems: 100 })),
      }),
    ),
  }),
})

/** Without an address every call is refused: the installation has no webhooks. */
export function createCallWebhooks({ url, token }: { url: string | undefined; token: string | undefined }): CallWebhooks {
  if (url === undefined || token === undefined) return () => Promise.reject(unavailable())
  return async ({ method, path, body, timeoutMs = timeoutMsMax }) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
      .then(async response => ({ ok: response.ok, status: response.status, text: await response.text() }))
      .catch(cause => {
        throw unavailable(cause)
      })
    const content = parse(answer.text)
    if (!answer.ok) throw refusalOf(answer.status, content)
    if (content === undefined && answer.status !== 204) throw unavailable(new Error('the webhooks service answered without JSON'))
    return { status: answer.status, body: content }
  }
}

/** Of another account's as of one that never was. */
export const noSuchEndpoint = () => new Failure<Reason>('not_found', { message: 'No such webhook endpoint or delivery.' })

/** Refusals that end by themselves, and after how many seconds it is worth asking again. */
const waits: Record<string, number | undefined> = { replay_running: 5, test_limit: 60 }

const unavailable = (cause?: unknown) => new Failure<Reason>('service_unavailable', { retryAfterSeconds, cause })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of what the service says only its code and its issues are believed; a refusal in another form is a fault between us. */
function refusalOf(status: number, content: unknown): Failure<Reason> {
  if (Value.Check(Refusal, content)) {
    const { code, details } = content.error
    if (code === 'not_found') return noSuchEndpoint()
    if (code === 'endpoint_limit') return new Failure('endpoint_limit')
    if (Object.hasOwn(waits, code)) return new Failure('rate_limited', { retryAfterSeconds: waits[code] })
    if (code === 'invalid_request')
      return new Failure('invalid_request', {
        details: { issues: (details?.issues ?? []).map(({ path, rule, message }) => ({ path, rule, message })) },
      })
  }
  return unavailable(new Error(`the webhooks service answered ${status}`))
}
