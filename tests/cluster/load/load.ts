import { eventually } from '../shell'
import type { LoadResult } from './gate'
import { type Answer, type ErrorBody, persist } from './persist'

export type Target = { url: string; host: string }
type Body = ErrorBody & { id?: string }

/** A first POST may take 250 s; a read that takes longer than this is given up and asked again. */
const attemptTimeoutMs = { POST: 260_000, GET: 60_000 }

/**
 * A constant rate of what clients do: mostly reads, every fourth request a generation. Requests start on time however long
 * the ones before take. What fails is sent again as the contract tells clients to, a POST with the same Idempotency-Key.
 */
export function startLoad(target: Target, apiKeys: string[], requestsPerSecond: number): { stop(): Promise<LoadResult> } {
  const tasks: { id: string; key: string }[] = []
  const firstTryFailures: Record<string, number> = {}
  const lost: string[] = []
  const latenciesMs: number[] = []
  const open = new Set<Promise<void>>()
  let requests = 0

  const send = async (
    key: string,
    method: 'GET' | 'POST',
    path: string,
    init: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer<Body>> => {
    const response = await fetch(`${target.url}/api/v1${path}`, {
      method,
      body: init.body,
      headers: { host: target.host, authorization: `Bearer ${key}`, ...init.headers },
      signal: AbortSignal.timeout(attemptTimeoutMs[method]),
    })
    const body = bodyOf(await response.text())
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
  }

  /** Sends until it is answered as it should be, and counts what came of it; gives the answer's body where one came. */
  async function count(what: string, wanted: number[], attempt: () => Promise<Answer<Body>>): Promise<Body | undefined> {
    const { body, lost: lostAs, firstTryFailure, firstTryMs } = await persist(wanted, attempt)
    if (firstTryMs !== undefined) latenciesMs.push(firstTryMs)
    if (firstTryFailure !== undefined) {
      const failure = `${what}: ${firstTryFailure}`
      firstTryFailures[failure] = (firstTryFailures[failure] ?? 0) + 1
    }
    if (lostAs !== undefined) lost.push(`${what}: ${lostAs}`)
    return body
  }

  async function one(turn: number): Promise<void> {
    const key = apiKeys[turn % apiKeys.length] ?? ''
    const known = tasks.findLast(task => task.key === key)
    if (turn % 4 === 0) {
      const body = JSON.stringify({ model: 'alpha-h3', prompt: `load ${turn}: a paper boat in the rain`, duration: 4 })
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
      const task = await count('POST', [202, 200], () => send(key, 'POST', '/video/generations', { body, headers }))
      if (task?.id) tasks.push({ id: task.id, key })
    } else if (turn % 4 === 1 || !known) await count('GET credits', [200], () => send(key, 'GET', '/credits'))
    else await count('GET task', [200], () => send(key, 'GET', `/tasks/${known.id}`))
  }

  const timer = setInterval(() => {
    const work: Promise<void> = one(requests++).finally(() => open.delete(work))
    open.add(work)
  }, 1000 / requestsPerSecond)

  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      latenciesMs.sort((a, b) => a - b)
      const at = (share: number) => Math.round(latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0)
      return { requests, firstTryFailures, lost, tasks: tasks.map(({ id }) => id), p50Ms: at(0.5), p99Ms: at(0.99) }
    },
  }
}

/** An ingress controller that reaches nobody answers in words of its own. */
function bodyOf(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return { error: { code: text.split(/[.:]/)[0] ?? '' } }
  }
}

/** What an operator can do, over a forwarded port. */
export function operatorOf(url: string, token: string) {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/operator${path}`, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-filmgate-operator': 'cluster test' },
      signal: AbortSignal.timeout(60_000),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  return { call }
}

/** Accounts with credits that have arrived, ready to spend. */
export async function openAccounts(
  operator: ReturnType<typeof operatorOf>,
  target: Target,
  count: number,
  credits = 1_000_000,
): Promise<string[]> {
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    const { api_key } = await operator.call<{ api_key: string }>('POST', '/accounts', { name: `cluster test ${i}`, credits })
    await eventually('credits of a new account', 60_000, async () => {
      const response = await fetch(`${target.url}/api/v1/credits`, { headers: { host: target.host, authorization: `Bearer ${api_key}` } })
      return ((await response.json()) as { available_credits?: number }).available_credits === credits
    })
    keys.push(api_key)
  }
  return keys
}
