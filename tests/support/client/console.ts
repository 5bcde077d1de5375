import { settings } from '../settings'
import { type Answer, type Body, parsed } from './api'

export type ConsoleTask = Body & {
  surface: 'api' | 'web'
  prompt: string | null
  tags: Record<string, string> | null
  progress: number | null
  phase: string
  poster_url: string | null
  resolution: string
  duration_seconds: number
}

type Asking = { body?: unknown; headers?: Record<string, string>; person?: string; token?: string; base?: string }

/** One call to the gateway's internal API for the console, with whatever it answers. */
export async function askConsole(
  method: string,
  path: string,
  { body, headers, person = 'person-of-tests', token = settings.consoleToken, base = settings.serviceUrls.gateway }: Asking = {},
): Promise<Answer> {
  const response = await fetch(`${base}/console${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-filmgate-person': person,
      'x-filmgate-operator': 'ada@example.com',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(260_000),
    keepalive: false,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

export type InternalRoute = { method: string; path: string }

/** Every route of the gateway's internal API for the console, as the gateway itself lists them, without its own prefix. */
export async function internalRoutes(): Promise<InternalRoute[]> {
  const headers = { authorization: `Bearer ${settings.operatorToken}` }
  const answer = await fetch(`${settings.serviceUrls.gateway}/operator/routes`, { headers })
  const { data } = (await answer.json()) as { data: InternalRoute[] }
  return data.filter(({ path }) => path.startsWith('/console/')).map(({ method, path }) => ({ method, path: path.replace('/console', '') }))
}

/** An account as its people use it in the console. */
export function consoleOf(accountId: string, base?: string) {
  const ask = (method: string, path: string, asking: Asking = {}) =>
    askConsole(method, `/accounts/${accountId}${path}`, { ...asking, ...(base && { base }) })
  const read = async <T>(path: string): Promise<T> => {
    const { status, text } = await ask('GET', path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
    return JSON.parse(text)
  }
  return {
    ask,
    read,
    generate: (body: unknown, idempotencyKey: string = crypto.randomUUID()) =>
      ask('POST', '/generations', { body, headers: { 'idempotency-key': idempotencyKey } }),
    account: () => read<{ available_credits: number; starter_credits: number; owed_credits: number; unfinished: number }>(''),
    task: (id: string) => read<ConsoleTask>(`/tasks/${id}`),
    /** The task once it has ended, held by the server rather than polled. */
    async taskOnce(id: string, timeoutMs = 150_000): Promise<ConsoleTask> {
      for (const endMs = performance.now() + timeoutMs; ; ) {
        const { status, text } = await ask('GET', `/tasks/${id}`, { headers: { prefer: 'wait=5' } })
        const task: ConsoleTask = JSON.parse(text)
        if (status === 200 && task.status !== 'processing') return task
        if (performance.now() > endMs) throw new Error(`task ${id} is still ${status} ${text}`)
      }
    },
  }
}
