import type { StoryView, TaskView } from '../gateway/gateway'
import models from './models.json'

export type Seen = { method: string; path: string; query: URLSearchParams; headers: Headers; body: unknown }
type Reply = { status?: number; body: unknown; headers?: Record<string, string> }

export const gatewayToken = 'a-token-of-the-console-for-tests'

/** A server of the test that speaks the gateway's door for the console: cards of the catalog, and what the test says of tasks and balances. */
export function startGatewayServer() {
  const state = {
    seen: [] as Seen[],
    available: 500,
    starter: 40,
    tasks: [] as TaskView[],
    story: { events: [], entries: [] } as Omit<StoryView, 'task'>,
    /** What the next generations are answered with; where there is none, with a new task. */
    generations: [] as Reply[],
    estimates: [] as Reply[],
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const url = new URL(request.url)
      const path = url.pathname.replace(/^\/console/, '')
      const body = request.method === 'GET' ? undefined : await request.json().catch(() => undefined)
      state.seen.push({ method: request.method, path, query: url.searchParams, headers: request.headers, body })
      if (request.headers.get('authorization') !== `Bearer ${gatewayToken}`) return fault(401, 'invalid_api_key', 'No.')
      const reply = replyTo(request, url, path, body)
      return Response.json(reply.body, { status: reply.status ?? 200, headers: reply.headers })
    },
  })

  function replyTo(request: Request, { searchParams }: URL, path: string, body: unknown): Reply {
    if (path === '/models')
      return request.headers.get('if-none-match') === '"v1"' ? { status: 304, body: null } : { body: models, headers: { etag: '"v1"' } }
    const [, accountId, rest = ''] = /^\/accounts\/([\w-]+)(.*)$/.exec(path) ?? []
    if (accountId === undefined) return missing
    if (rest === '') return { body: accountOf(accountId) }
    if (rest === '/estimate') return state.estimates.shift() ?? { body: estimateOf(body as Record<string, unknown>) }
    if (rest === '/generations') return state.generations.shift() ?? accepted(body as Record<string, string>)
    if (rest === '/tasks') return { body: pageOf(searchParams) }
    const [, taskId, story] = /^\/tasks\/([\w-]+)(\/story)?$/.exec(rest) ?? []
    const task = state.tasks.find(({ id }) => id === taskId)
    return task ? { body: story ? { task, ...state.story } : task } : missing
  }

  const accountOf = (id: string) => ({
    account_id: id,
    name: 'Studio',
    available_credits: state.available,
    starter_credits: state.starter,
    unfinished: 0,
    unfinished_max: 3,
    created_at: '2026-11-01T00:00:00.000Z',
  })

  /** Ten credits a second, whatever the model. */
  function estimateOf({ duration = 5 }: { duration?: unknown }) {
    const credits = Number(duration) * 10
    return {
      credits,
      breakdown: [{ item: 'output', quantity: Number(duration), unit: 'second', rate: 10, credits }],
      available: true,
      within_max_credits: true,
      sufficient_credits: credits <= state.available + state.starter,
      available_credits: state.available,
      starter_credits: state.starter,
    }
  }

  function accepted({ model = '', mode = '', prompt = '' }: Record<string, string>): Reply {
    const task = taskOf({ id: `vt_${state.tasks.length + 1}`, model, mode, prompt })
    state.tasks.unshift(task)
    return { status: 202, body: task }
  }

  function pageOf(query: URLSearchParams) {
    const [status, surface, limit, from] = [
      query.get('status'),
      query.get('surface'),
      Number(query.get('limit') ?? 20),
      Number(query.get('cursor') ?? 0),
    ]
    const found = state.tasks.filter(task => (!status || task.status === status) && (!surface || task.surface === surface))
    return { data: found.slice(from, from + limit), next_cursor: found.length > from + limit ? String(from + limit) : null }
  }

  return { state, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

const missing: Reply = { status: 404, body: { error: { code: 'task_not_found', message: 'There is no such task.' } } }
const fault = (status: number, code: string, message: string) => Response.json({ error: { code, message } }, { status })

/** A task that is being made, and what a test says of it. */
export const taskOf = (change: Partial<TaskView> = {}): TaskView => ({
  id: 'vt_1',
  status: 'processing',
  model: 'alpha-h3',
  mode: 'text-to-video',
  credits_used: 50,
  credits_refunded: 0,
  output: null,
  error: null,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  billing_status: 'reserved',
  surface: 'web',
  prompt: 'A paper boat',
  progress: 0.25,
  phase: 'accepted',
  poster_url: null,
  resolution: '768p',
  duration_seconds: 5,
  ...change,
})
