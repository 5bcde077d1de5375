import { settings } from '../settings'
import { apiDescription } from './described'

/** The fields of the contract that tests look at; which of them an answer has is what they check. */
export type Body = {
  id: string
  status: 'processing' | 'completed' | 'failed'
  model: string
  mode: string
  credits_used: number
  credits_refunded: number
  output: { video_url: string } | null
  billing_status?: string
  created_at: string
  updated_at: string
  available_credits: number
  error: { code: string; message: string; details?: Record<string, unknown> & { task_id?: string; issues?: { path: string }[] } } | null
}
export type Answer = { status: number; headers: Headers; text: string; body: Body }

/** How the description names the paths below each base. */
const describedPaths = [
  { base: '/api/v1', prefix: '' },
  { base: '/openai/v1', prefix: '/openai/v1' },
]

export type Api = ReturnType<typeof createApi>

/** The HTTP API as a client with this key sees it. An answer that the OpenAPI document does not describe fails whoever asked. */
export function createApi(apiKey: string | null, base = settings.url) {
  async function send(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string | Uint8Array; timeoutMs?: number } = {},
  ): Promise<Answer> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }), ...init.headers },
      body: init.body,
      // The contract's read timeout; no keep-alive, since a test may have killed who was at the other end.
      signal: AbortSignal.timeout(init.timeoutMs ?? 260_000),
      keepalive: false,
    })
    const text = await response.text()
    const described = describedPaths.find(({ base: end }) => base.endsWith(end))
    const faults = described
      ? (await apiDescription()).faults(method, `${described.prefix}${path}`, { status: response.status, headers: response.headers, text })
      : []
    if (faults.length > 0)
      throw new Error(`${method} ${path} is not answered as described: ${faults.join('; ')}: ${response.status} ${text}`)
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }
  const api = {
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, { headers }),
    /** POST /video/generations; without a key given, a new one. */
    generate: (body: unknown, { idempotencyKey = crypto.randomUUID(), timeoutMs }: { idempotencyKey?: string; timeoutMs?: number } = {}) =>
      send('POST', '/video/generations', {
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
        timeoutMs,
      }),
    /** POST of a body as it is written here, to the byte. */
    postText: (path: '/video/generations' | '/video/estimate', body: string, idempotencyKey: string = crypto.randomUUID()) =>
      send('POST', path, { headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }, body }),
    estimate: (body: unknown) => api.postText('/video/estimate', JSON.stringify(body)),
    task: (id: string) => api.get(`/tasks/${id}`),
    async credits(): Promise<number> {
      return (await api.get('/credits')).body.available_credits
    },
    /** The task once `satisfied` (finished, unless told otherwise), held by the server rather than polled. */
    async taskOnce(
      id: string,
      satisfied: (task: Body) => boolean = ({ status }) => status !== 'processing',
      timeoutMs = 150_000,
    ): Promise<Body> {
      const deadline = Date.now() + timeoutMs
      for (;;) {
        const { status, body } = await api.get(`/tasks/${id}`, { prefer: 'wait=5' })
        if (status === 200 && satisfied(body)) return body
        if (Date.now() > deadline) throw new Error(`task ${id} is still ${status} ${JSON.stringify(body)} after ${timeoutMs} ms`)
        await Bun.sleep(100)
      }
    },
  }
  return api
}

/** The body of an answer; one that is no JSON shows as an error of its own. */
export function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return { error: { code: 'not JSON', message: text } } as Body
  }
}
