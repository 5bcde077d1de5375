import type { KeyView, TaskTimelineView, TaskView } from '../gateway/gateway'
import { type FakeGateway, refusal } from './fake-gateway'
import models from './models.json'

type GenerationInput = { duration?: unknown; model?: string; mode?: string; prompt?: string }
type Reply = { status?: number; body: unknown; headers?: Record<string, string> }

/** Adds videos to the fake gateway: the catalog's cards, and the test's tasks and balances, for any account. */
export function serveVideos(gateway: FakeGateway) {
  const state = {
    seen: gateway.seen,
    available: 500,
    starter: 40,
    tasks: [] as TaskView[],
    keys: [] as Pick<KeyView, 'key_id' | 'name'>[],
    /** Where a search of the tasks ended, if not at the oldest. */
    searchedTo: null as string | null,
    /** The list of tasks answers 503. */
    tasksFail: false,
    story: { waiting: null, events: [], entries: [] } as Omit<TaskTimelineView, 'task'>,
    /** Responses to the next generations; without one, a new task. */
    generations: [] as Reply[],
    estimates: [] as Reply[],
    /** Requests with Prefer: wait are held until then. */
    heldUntil: undefined as Promise<void> | undefined,
  }
  const findTask = (id: string | undefined) => state.tasks.find(task => task.id === id)
  gateway.on('GET /models', ({ headers }) =>
    headers.get('if-none-match') === '"v1"' ? new Response(null, { status: 304 }) : Response.json(models, { headers: { etag: '"v1"' } }),
  )
  gateway.on('GET /accounts/:account', (_, { account = '' }) => accountOf(account))
  gateway.on('POST /accounts/:account/estimate', ({ body }) =>
    answerOf(state.estimates.shift() ?? { body: estimateOf(body as GenerationInput) }),
  )
  gateway.on('POST /accounts/:account/generations', ({ body }) => answerOf(state.generations.shift() ?? accepted(body as GenerationInput)))
  gateway.on('GET /accounts/:account/keys', () => ({ data: state.keys }))
  gateway.on('GET /accounts/:account/tasks', ({ query }) => (state.tasksFail ? refusal(503, 'service_unavailable') : pageOf(state, query)))
  gateway.on('GET /accounts/:account/tasks/:task', async ({ headers }, { task }) => {
    if (headers.has('prefer')) await state.heldUntil
    return findTask(task) ?? refusal(404, 'task_not_found')
  })
  gateway.on('GET /accounts/:account/tasks/:task/story', (_, { task: id }) => {
    const task = findTask(id)
    return task ? { task, ...state.story } : refusal(404, 'task_not_found')
  })
  gateway.on('POST /accounts/:account/tasks/:task/cancel', (_, { task: id }) => {
    const task = findTask(id)
    if (!task) return refusal(404, 'task_not_found')
    if (task.phase === 'accepted') return refusal(409, 'not_cancellable', 'A provider offers no cancel.')
    Object.assign(task, { status: 'failed', billing_status: 'refunded', error: { code: 'cancelled', message: 'words' } })
    return task
  })
  gateway.on('POST /balances', ({ body }) => ({ data: (body as { account_ids: string[] }).account_ids.map(accountOf) }))
  gateway.on('POST /tasks/states', ({ body }) => ({ data: statesOf(body as { tasks: { task_id: string; account_id: string }[] }) }))

  const statesOf = ({ tasks }: { tasks: { task_id: string; account_id: string }[] }) =>
    tasks.flatMap(({ task_id, account_id }) => state.tasks.filter(({ id }) => id === task_id).map(task => ({ ...task, account_id })))

  const accountOf = (id: string) => ({
    account_id: id,
    name: 'Studio',
    available_credits: state.available,
    starter_credits: state.starter,
    unfinished: 0,
    unfinished_max: 3,
    created_at: '2026-11-01T00:00:00.000Z',
  })

  /** Ten credits a second for every model. */
  function estimateOf({ duration = 5 }: GenerationInput) {
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

  function accepted({ model = '', mode = '', prompt = '' }: GenerationInput): Reply {
    const task = taskOf({ id: `vt_${state.tasks.length + 1}`, model, mode, prompt })
    state.tasks.unshift(task)
    return { status: 202, body: task }
  }

  return state
}

/** A page of tasks, filtered as the gateway does. */
function pageOf(state: { tasks: TaskView[]; searchedTo: string | null }, query: URLSearchParams) {
  const [status, surface, limit, from] = [
    query.get('status'),
    query.get('surface'),
    Number(query.get('limit') ?? 20),
    Number(query.get('cursor') ?? 0),
  ]
  const [name = '', value] = query.get('tag')?.split('=') ?? []
  const text = query.get('text') ?? ''
  const found = state.tasks
    .filter(task => (!status || task.status === status) && (!surface || task.surface === surface))
    .filter(task => (!name || task.tags?.[name] === value) && (task.prompt ?? '').includes(text))
  return { data: found.slice(from, from + limit), next_cursor: found.length > from + limit ? String(from + limit) : state.searchedTo }
}

const answerOf = ({ status = 200, body, headers }: Reply): Response => Response.json(body, { status, ...(headers && { headers }) })

/** A running task with a test's changes. */
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
