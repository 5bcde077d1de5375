import { eventually } from './shell'

export type Target = { url: string; host: string }
export type LoadResult = {
  requests: number
  /** Answers that a first try should have had and did not, by what came instead. */
  firstTryFailures: Record<string, number>
  /** Requests that no retry healed: what the contract never allows. */
  lost: string[]
  tasks: string[]
  p50Ms: number
  p99Ms: number
}

const healTimeoutMs = 60_000
/** A first POST may take 250 s; a read that takes longer than this is given up and asked again. */
const attemptTimeoutMs = { POST: 260_000, GET: 20_000 }

/**
 * A constant rate of what clients do: mostly reads, every fourth request a generation. Requests start on time however long
 * the ones before take. A POST that fails is sent again with the same Idempotency-Key, as the contract tells clients to.
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
  ) => {
    const response = await fetch(`${target.url}/api/v1${path}`, {
      method,
      body: init.body,
      headers: { host: target.host, authorization: `Bearer ${key}`, ...init.headers },
      signal: AbortSignal.timeout(attemptTimeoutMs[method]),
    })
    const text = await response.text()
    return { status: response.status, body: bodyOf(text) }
  }

  /** Sends until it is answered as it should be; says what went wrong the first time. */
  async function persist(what: string, wanted: number[], attempt: () => ReturnType<typeof send>) {
    const startedAt = performance.now()
    let failedAt = Number.POSITIVE_INFINITY
    for (let tries = 0; ; tries++) {
      const words = await attempt().then(
        ({ status, body }) => (wanted.includes(status) ? { body } : `${status} ${body.error?.code ?? ''}`),
        (error: Error) => `connection: ${error.message}`,
      )
      if (typeof words !== 'string') {
        if (tries === 0) latenciesMs.push(performance.now() - startedAt)
        return words.body
      }
      if (tries === 0) firstTryFailures[`${what}: ${words}`] = (firstTryFailures[`${what}: ${words}`] ?? 0) + 1
      failedAt = Math.min(failedAt, performance.now())
      const healable = words.startsWith('connection') || words.startsWith('503')
      if (!healable || performance.now() - failedAt > healTimeoutMs) {
        lost.push(`${what}: ${words}`)
        return undefined
      }
      await Bun.sleep(250)
    }
  }

  async function one(turn: number): Promise<void> {
    const key = apiKeys[turn % apiKeys.length] ?? ''
    const known = tasks.findLast(task => task.key === key)
    if (turn % 4 === 0) {
      const body = JSON.stringify({ model: 'alpha-h3', prompt: `load ${turn}: a paper boat in the rain`, duration: 4 })
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
      const task = await persist('POST', [202, 200], () => send(key, 'POST', '/video/generations', { body, headers }))
      if (task?.id) tasks.push({ id: task.id, key })
    } else if (turn % 4 === 1 || !known) await persist('GET credits', [200], () => send(key, 'GET', '/credits'))
    else await persist('GET task', [200], () => send(key, 'GET', `/tasks/${known.id}`))
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
function bodyOf(text: string): { id?: string; error?: { code: string } | null } {
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
      signal: AbortSignal.timeout(20_000),
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
    await eventually('credits of a new account', 30_000, async () => {
      const response = await fetch(`${target.url}/api/v1/credits`, { headers: { host: target.host, authorization: `Bearer ${api_key}` } })
      return ((await response.json()) as { available_credits?: number }).available_credits === credits
    })
    keys.push(api_key)
  }
  return keys
}
