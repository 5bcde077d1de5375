import { type Service, type ServiceUrls, serviceNames } from '../services/services'

export type Call = { service: Service; method: string; path: string; query?: string; operator: string; body: unknown }
/** A service's response: a body with 200, a rejection with its status, or none. */
export type Answer = object | { refusedWith: number; code: string; message: string } | 'silent'

export const operatorToken = 'the-operators-token-of-a-test'
const at = '2026-11-20T10:00:00.000Z'

/**
 * Servers with the operator routes of the four services. `answers` are keyed by `METHOD /path`; `service METHOD /path`
 * takes precedence.
 */
export function startFakeServices() {
  const calls: Call[] = []
  const answers = new Map<string, Answer>()
  const servers = serviceNames.map(service => ({
    service,
    server: Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => answer(service, request) }),
  }))

  async function answer(service: Service, request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/readyz') return Response.json({ status: 'ready' })
    if (request.headers.get('authorization') !== `Bearer ${operatorToken}`)
      return Response.json({ error: { code: 'operator_token_required', message: 'Send the operator token.' } }, { status: 401 })
    const path = pathname.replace('/operator', '')
    const text = await request.text()
    const operator = decodeURIComponent(request.headers.get('x-filmgate-operator') ?? '')
    const query = search.slice(1)
    calls.push({ service, method: request.method, path, ...(query && { query }), operator, body: text === '' ? null : JSON.parse(text) })
    const key = `${request.method} ${path}`
    const found = answers.get(`${service} ${key}`) ?? answers.get(key) ?? defaultAnswer(service, request.method, path)
    if (found === 'silent') return new Response('not JSON', { status: 502 })
    if ('refusedWith' in found) return Response.json({ error: { code: found.code, message: found.message } }, { status: found.refusedWith })
    return Response.json(found)
  }

  return {
    calls,
    answers,
    urls: Object.fromEntries(servers.map(({ service, server }) => [service, server.url.origin])) as ServiceUrls,
    /** The calls that changed something. */
    acts: () => calls.filter(({ method }) => method !== 'GET'),
    reset() {
      calls.length = 0
      answers.clear()
    },
    stop: () => Promise.all(servers.map(({ server }) => server.stop(true))),
  }
}

export type FakeServices = ReturnType<typeof startFakeServices>

export const accountId = 'acc_1'
export const taskId = 'vt_1'
/** The gateway's response when it creates a secret. */
export const keySecret = 'sk_live_k1_TheSecretThatIsShownOnce'

const task = {
  ...{ surface: 'api', fingerprint: '00', errorDetails: null, delivery: null },
  ...{ id: taskId, accountId, keyId: 'k1', model: 'alpha-h3', mode: 'text-to-video', phase: 'uncertain', billingStatus: 'review' },
  ...{
    creditsUsed: 40,
    creditsRefunded: 0,
    videoUrl: null,
    errorCode: null,
    errorMessage: null,
    createdAt: at,
    updatedAt: at,
    admitBy: at,
  },
}
const reservation = {
  ...{ task_id: taskId, account_id: accountId, surface: 'api', state: 'review', credits: 40, paid: 40, starter: 0, refunded: 0 },
  ...{ price_version: '1', reserved_at: at, changed_at: at, ended_at: null },
}
const attempt = {
  ...{ task_id: taskId, account_id: accountId, traceparent: null, output_key: null, output_bytes: null, output_sha256: null },
  ...{ poster: null, poster_url: null, delivery: null, credits: null, due_credits: null, progress: null },
  ...{
    id: 'at_1',
    number: 1,
    model: 'alpha-h3',
    provider: 'fal',
    provider_model: 'fal/h3',
    provider_task_id: null,
    state: 'uncertain',
    code: null,
  },
  ...{ cause: 'the answer was lost: socket <closed>', cost_micro_usd: null, cost_basis: 'unknown', created_at: at, accepted_at: null },
  ...{ review_since: at, ended_at: null },
}
const bulkTerms = { provider: 'fal', from: at, to: at, cause: null, outcome: 'refund' }
const bulkEnd = {
  ...{ ...bulkTerms, id: '7', reason: 'a lost hour', reviews: 1_200, credits: 48_000, left_out: 0, ended: 0, state: 'awaiting_second' },
  ...{ asked_by: 'ana@example.com', asked_at: at, approved_by: null, approved_at: null, ended_at: null },
}
const bulkPreview = {
  ...{ ...bulkTerms, reviews: 1_200, credits: 48_000, left_out: 3, needs_second: true, limit: 100 },
  models: [
    { model: 'alpha-h3', state: 'unknown', reviews: 1_200, credits: 48_000, credits_unknown: 0, oldest: at, newest: at, left_out: 3 },
  ],
}
const letter = {
  ...{
    topic: 'filmgate.requests.v1.dlq',
    offset: '7',
    at,
    key: accountId,
    eventId: 'event-7',
    group: 'ledger',
    source: 'filmgate.requests.v1/2@9',
  },
  ...{ cause: 'Error: no such order', bytes: 812, cameBack: 2, firstAt: at },
}
const contradiction = {
  ...{ task_id: taskId, account_id: accountId, verdict: 'completed', state: 'refunded', detail: null, seen_at: at, times: 2 },
  ...{ acknowledged_at: null, acknowledged_reason: null, acknowledged_by: null, acknowledgements: [] },
}
const run = {
  at,
  scope: 'new',
  findings: [{ check: 'verdict_contradicts', detail: `${taskId} was heard to be completed` }],
  checked: { accounts: 2, grants: 3, reservations: 4, entries: 50 },
}
const account = { account_id: accountId, name: 'Paper <Boats>', available: 1_200, starter: 30, created_at: at }
const key = {
  ...{ id: 'k1', prefix: 'sk_live_k1', name: 'first', createdAt: at, expiresAt: null, revokedAt: null, lastUsedAt: at },
  ...{ rotatedAt: null, createdBy: 'ada' },
}
const change = {
  ...{
    id: 'c1',
    account_id: accountId,
    kind: 'grant',
    balance: 'paid',
    credits: 500,
    reason: 'a gift',
    operator: 'eve',
    state: 'applied',
    refusal: null,
  },
  ...{ available: 1_200, starter: 30, owed: 0, asked_at: at, decided_at: at },
}
const hold = {
  ...{ provider: 'fal', model: null, cause: 'no_balance', reason: 'answered 402', by: null, started_at: at },
  ...{ probe_at: at, probes: 1 },
}
const provider = {
  ...{
    provider: 'fal',
    on: true,
    key: 'taken',
    absences: 'held',
    health: 'unknown',
    running: 3,
    missing: 1,
    closing: null,
    models: [{ model: 'alpha-h3', lacks: [] }],
    holds: [hold],
  },
  asking: { breaker: 'closed', unanswered_calls: 0, held_until: null, waiting_ms: 0 },
}
const costs = {
  ...{ provider: 'fal', model: 'alpha-h3', attempts: 9, open: 1, completed: 7, unknown: 1, credits: 360, unknown_credits: 0 },
  ...{ told_micro_usd: 1_200_000, listed_micro_usd: 300_000, lost_micro_usd: 10_000 },
}
const margin = {
  ...{
    model: 'alpha-h3',
    resolution: '768p',
    provider: 'fal',
    mode: 'text-to-video',
    audio: null,
    seconds: 5,
    images: 0,
    video_seconds: 0,
  },
  ...{ price_micro_usd: 420_000, cost_micro_usd: 400_000, margin_micro_usd: 20_000, margin_percent: 4.8, basis: 'listed', reason: null },
  ...{ source: 'page', as_of: '2026-11-25', cases: 3, cases_unknown: 0 },
}
const listedTask = {
  ...{ id: taskId, account_id: accountId, status: 'processing', phase: 'uncertain', billing_status: 'review', model: 'alpha-h3' },
  ...{ credits_used: 40, credits_refunded: 0, error: null, created_at: at, updated_at: at },
}

/** The default responses: one of everything. */
const defaultAnswers: Record<string, object> = {
  'gateway GET /accounts': { data: [account], next_cursor: 'later' },
  [`gateway GET /accounts/${accountId}`]: {
    account,
    keys: [key],
    credit_changes: [change],
    acts: [{ at, act: 'account_opened', subject: null, by: 'ada' }],
  },
  [`ledger GET /accounts/${accountId}`]: {
    account: { account_id: accountId, available: 1_250, starter: 30, owed: 70, unfinished: 1, balance_version: 9, opened_at: at },
    open: [reservation],
  },
  'gateway GET /credit-changes': { data: [{ ...change, id: 'c9', account_id: accountId, credits: 90_000, state: 'awaiting_second' }] },
  'gateway POST /credit-changes/c9/approve': { ...change, credits: 90_000 },
  'gateway GET /tasks': { data: [listedTask], next_cursor: null },
  [`gateway GET /tasks/${taskId}`]: { task, events: [{ kind: 'CreditsReserved', at, details: { credits: 40 } }], acts: [] },
  [`ledger GET /tasks/${taskId}`]: {
    ...{ reservation, declined: null, release: null, contradictions: [contradiction] },
    entries: [{ kind: 'reserve', book: 'paid', account_id: accountId, credits: -40, at }],
  },
  [`dispatcher GET /tasks/${taskId}`]: { attempts: [attempt], review_decisions: [], release: null },
  'dispatcher GET /reviews': {
    data: [
      {
        task_id: taskId,
        account_id: accountId,
        attempt_id: 'at_1',
        provider: 'fal',
        state: 'uncertain',
        cause: attempt.cause,
        review_since: at,
        model: 'alpha-h3',
        credits: 40,
        provider_task_id: null,
      },
    ],
    total: 17_700,
  },
  'dispatcher GET /bulk-review-ends': { data: [bulkEnd, { ...bulkEnd, id: '8', state: 'running', ended: 500 }] },
  'dispatcher GET /bulk-review-ends/preview': bulkPreview,
  'dispatcher POST /bulk-review-ends': { ...bulkEnd, id: '9', state: 'running' },
  'dispatcher POST /bulk-review-ends/7/approve': { ...bulkEnd, state: 'running', approved_by: 'money@example.com', approved_at: at },
  'gateway GET /reviews': { data: [{ id: taskId, account_id: accountId, model: 'alpha-h3', credits_used: 40, created_at: at }] },
  'gateway GET /dead-letters/counts': {
    data: [
      { topic: letter.topic, waiting: 2 },
      { topic: 'filmgate.media.v1.dlq', waiting: 0 },
    ],
  },
  'gateway GET /dead-letters': { data: [letter] },
  'gateway POST /dead-letters/replay': { replayed: 2, copies: 0, refused: [] },
  'gateway POST /dead-letters/discard': { discarded: 1 },
  'ledger GET /audits': { data: [run, { ...run, findings: [] }] },
  'ledger GET /contradictions': { data: [contradiction] },
  'ledger POST /audit': { scope: 'new', findings: [], checked: run.checked },
  [`ledger POST /tasks/${taskId}/acknowledge`]: { acknowledged: 1 },
  'dispatcher GET /providers': { data: [provider, { provider: 'runware', on: false }] },
  'dispatcher GET /costs': { credit_micro_usd: 10_000, data: [costs] },
  'dispatcher GET /margins': { credit_micro_usd: 10_000, data: [margin] },
  [`gateway POST /accounts/${accountId}/grants`]: { ...change, credits: 5 },
  [`gateway POST /accounts/${accountId}/debits`]: { ...change, kind: 'debit', credits: 5 },
  'gateway POST /accounts': { account_id: accountId, api_key: keySecret },
  [`gateway POST /accounts/${accountId}/keys`]: { key_id: 'k2', api_key: keySecret },
  'gateway POST /keys/k1/rotate': { key_id: 'k1', api_key: keySecret },
  'dispatcher POST /providers/fal/close': { provider: 'fal', reason: 'r', by: 'ada', closed_at: at, closed_until: at, in_force: true },
  'dispatcher POST /providers/fal/pause': { ...hold, cause: 'paused', by: 'ada', probe_at: null },
  'dispatcher POST /providers/fal/resume': { data: [hold] },
  'gateway DELETE /keys/k1': { key_id: 'k1', revoked: true },
}

function defaultAnswer(service: Service, method: string, path: string): Answer {
  const found = defaultAnswers[`${service} ${method} ${path}`]
  if (found) return found
  if (method === 'POST' && /\/(replay|release)$/.test(path)) return { published: ['CreditsReserved'] }
  if (method === 'POST' && /^\/bulk-review-ends\/\d+\/next$/.test(path)) return { ...bulkEnd, state: 'done', ended: 1_200, ended_at: at }
  if (method === 'POST' && path.startsWith('/reviews/')) return { task_id: taskId, decision: 'made' }
  return { refusedWith: 404, code: 'not_found', message: 'There is none.' }
}
