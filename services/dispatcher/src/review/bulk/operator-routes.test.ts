import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Outgoing } from '@filmgate/kit/bus/bus'
import { onOwnConnection, type Sql } from '@filmgate/kit/database/postgres'
import { renderError } from '@filmgate/kit/http/render-error'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { readAnswer } from '@filmgate/proto/operator/answer'
import { BulkReviewEnd, BulkReviewPreview } from '@filmgate/proto/operator/review'
import { Elysia } from 'elysia'
import { reasons } from '../../errors'
import { fillReviews } from '../../testing/fill-reviews'
import { reviewRoutes } from '../operator-routes'
import { findReviewDecisions } from '../review-repository'
import { endNextReviews } from './end-next-reviews'
import { bulkReviewRoutes } from './operator-routes'

let database: TestDatabase
let outbox: Outbox
let app: { handle(request: Request): Promise<Response> }
let deps: Parameters<typeof bulkReviewRoutes>[0]
const limit = 10
const published: Outgoing[] = []
let woken = 0

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../../migrations'))
  const { sql } = database
  outbox = createOutbox({ sql, bus: { publish: async (messages: Outgoing[]) => void published.push(...messages) }, log: testLog })
  const operator = (name: string, role: 'read' | 'support' | 'money') => ({ name, role, actsForOthers: false })
  const operators = testOperators({
    shared: {},
    reader: operator('reader@example.com', 'read'),
    ana: operator('Ana@example.com', 'support'),
    eve: operator('eve', 'support'),
    bob: operator('bob@example.com', 'money'),
    anaMoney: operator('ana@EXAMPLE.com', 'money'),
  })
  const budget = { perSecond: 10, atOnce: 4 }
  deps = {
    ...{ sql, outbox, operators, topicPrefix: 'test', leaseMs: 5_000, readTimeoutMs: 1_000, bulkReviewLimit: limit, now: () => new Date() },
    routing: { connectorOf: (provider: string) => (provider === 'off' ? undefined : { provider, budget }) } as never,
    wake: () => void woken++,
  }
  app = new Elysia({ normalize: false })
    .use(renderError(testLog, reasons))
    .use(bulkReviewRoutes(deps))
    .use(reviewRoutes(deps as never))
})
afterAll(async () => {
  await outbox?.stop()
  await database?.drop()
})
afterEach(async () => {
  await database.sql`truncate attempt, job, review_decision, bulk_review_end`
})

async function ask(token: string, method: 'GET' | 'POST', path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await app.handle(
    new Request(`http://dispatcher/operator/bulk-review-ends${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into whatever came.
  return { status: answer.status, body: (await answer.json()) as any }
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const hour = { from: ago(120), to: ago(30) }
const terms = (own: object = {}) => ({ provider: 'fal', ...hour, outcome: 'refund', reason: 'fal lost them', ...own })
const preview = (own: object = {}) => {
  const { reason: _, ...query } = terms(own)
  return ask('reader', 'GET', `/preview?${new URLSearchParams(query as Record<string, string>)}`)
}
const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const stateOf = async (id: string) => (await database.sql`select state, review_since, operator_accepted from attempt where id = ${id}`)[0]
const openCount = async () => (await database.sql`select 1 from attempt where review_since is not null`).length

/** As a command does: asks, then goes on until it is done. */
async function endAll(token: string, own: object = {}) {
  let answer = await ask(token, 'POST', '', terms(own))
  while (answer.body.state === 'running') answer = await ask(token, 'POST', `/${answer.body.id}/next`)
  return answer
}

test('the list is filtered by provider, time and words of the cause, and says how many fit', async () => {
  const [first = '', second = ''] = await fillReviews(database.sql, { provider: 'fal', count: 2, minutesAgo: 90 })
  const [overdue = ''] = await fillReviews(database.sql, { provider: 'fal', state: 'overdue', cause: 'not finished in time' })
  await fillReviews(database.sql, { provider: 'kling', count: 600 })
  const list = async (query: Record<string, string>) => {
    const headers = { authorization: 'Bearer reader' }
    const answer = await app.handle(new Request(`http://dispatcher/operator/reviews?${new URLSearchParams(query)}`, { headers }))
    const { data, total, error } = (await answer.json()) as { data?: { attempt_id: string }[]; total?: number; error?: { code: string } }
    return error?.code ?? [data?.map(({ attempt_id }) => attempt_id), total]
  }
  expect(await list({ provider: 'fal' })).toEqual([[first, second, overdue], 3])
  expect(await list({ provider: 'fal', from: ago(75) })).toEqual([[overdue], 1])
  expect(await list({ provider: 'fal', to: ago(75) })).toEqual([[first, second], 2])
  expect(await list({ cause: 'Not Finished' })).toEqual([[overdue], 1])
  const [kling, total] = (await list({ provider: 'kling' })) as [string[], number]
  expect([kling.length, total]).toEqual([500, 600])
  expect(await list({ provider: 'nobody' })).toEqual([[], 0])
  for (const [name, value] of [
    ['from', 'today'],
    ['provider', 'a b'],
    ['cause', ''],
  ] as const)
    expect([name, await list({ [name]: value })]).toEqual([name, 'invalid_request'])
})

test('a preview counts by model and state what would be ended and left out, and changes nothing', async () => {
  await fillReviews(database.sql, { provider: 'fal', count: 3, credits: 40 })
  await fillReviews(database.sql, { provider: 'fal', count: 1, credits: null, calledBack: true })
  await fillReviews(database.sql, { provider: 'fal', count: 8, state: 'overdue', model: 'beta-2.5', credits: 5 })
  const refund = await preview()
  expect(readAnswer(BulkReviewPreview, refund.body).ok).toBe(true)
  expect(refund.body).toMatchObject({ reviews: 12, credits: 160, left_out: 0, needs_second: true, limit })
  const accept = await preview({ outcome: 'accept' })
  expect(accept.body).toMatchObject({ reviews: 9, credits: 40, left_out: 3, needs_second: false })
  expect(accept.body.models).toMatchObject([
    { model: 'alpha-h3', state: 'unknown', reviews: 1, credits: 0, credits_unknown: 1, left_out: 3, oldest: expect.any(String) },
    { model: 'beta-2.5', state: 'overdue', reviews: 8, credits: 40, credits_unknown: 0, left_out: 0 },
  ])
  expect((await preview({ outcome: 'retry' })).body).toMatchObject({ reviews: 12, needs_second: false })
  expect([await openCount(), (await ask('reader', 'GET', '')).body]).toEqual([12, { data: [] }])
})

test('a refund leaves out what an operator has accepted', async () => {
  const [accepted = '', other = ''] = await fillReviews(database.sql, { provider: 'fal', count: 2, state: 'overdue' })
  await database.sql`update attempt set operator_accepted = true where id = ${accepted}`
  expect((await preview()).body).toMatchObject({ reviews: 1, left_out: 1 })
  expect((await endAll('ana')).body).toMatchObject({ state: 'done', reviews: 1, ended: 1, left_out: 1 })
  expect([(await stateOf(accepted))?.state, (await stateOf(other))?.state]).toEqual(['overdue', 'failed'])
})

test('no more reviews are ended than were counted, though more come to fit', async () => {
  await fillReviews(database.sql, { provider: 'fal', count: 2, cause: 'no answer' })
  await fillReviews(database.sql, { provider: 'fal', count: 20, cause: 'another cause' })
  const own = { cause: 'no answer' }
  expect((await ask('ana', 'POST', '', terms(own))).body).toMatchObject({ reviews: 2, state: 'running' })
  await database.sql`update attempt set cause = 'no answer'`
  expect((await endAll('ana', own)).body).toMatchObject({ state: 'done', ended: 2 })
  expect(await openCount()).toBe(20)
})

test('a refund ends every review that fits and no other, with the event and the decision of each', async () => {
  const unknown = await fillReviews(database.sql, { provider: 'fal', count: 4 })
  const [copying = ''] = await fillReviews(database.sql, { provider: 'fal', state: 'copying' })
  const others = [
    ...(await fillReviews(database.sql, { provider: 'kling' })),
    ...(await fillReviews(database.sql, { provider: 'fal', minutesAgo: 200 })),
    ...(await fillReviews(database.sql, { provider: 'fal', minutesAgo: 10 })),
  ]
  published.length = 0
  const { status, body } = await endAll('ana')
  expect([status, readAnswer(BulkReviewEnd, body).ok]).toEqual([200, true])
  expect(body).toMatchObject({ state: 'done', reviews: 5, credits: 200, ended: 5, asked_by: 'Ana@example.com', approved_by: null })
  for (const id of unknown) expect(await stateOf(id)).toMatchObject({ state: 'refused', review_since: null })
  expect(await stateOf(copying)).toMatchObject({ state: 'failed', review_since: null })
  for (const id of others) expect((await stateOf(id))?.review_since).not.toBeNull()
  expect(await findReviewDecisions(database.sql, `vt_${copying}`)).toMatchObject([
    { decision: 'refund', reason: 'fal lost them', by: 'Ana@example.com', bulkId: Number(body.id) },
  ])
  expect(await database.sql`select from review_decision`).toHaveLength(5)
  expect(await database.sql`select from job where id = any(${[...unknown, copying]}::text[])`).toHaveLength(0)
  expect(published.length + (await database.sql`select from outbox`).length).toBeGreaterThanOrEqual(5)
  expect((await ask('reader', 'GET', '')).body.data).toMatchObject([{ id: body.id, state: 'done' }])
})

test('words of the cause choose among the reviews', async () => {
  const [lost = '', reset = ''] = await fillReviews(database.sql, { provider: 'fal', count: 2 })
  await database.sql`update attempt set cause = 'Connection RESET by peer (100%)' where id = ${reset}`
  expect(await endAll('ana', { cause: 'reset by peer (100%)' })).toMatchObject({ body: { state: 'done', ended: 1 } })
  expect([(await stateOf(lost))?.state, (await stateOf(reset))?.state]).toEqual(['unknown', 'refused'])
})

test('a retry takes each job from whoever has it and plans at most half of what the provider may be asked', async () => {
  const ids = await fillReviews(database.sql, { provider: 'fal', count: 15 })
  expect(await endAll('ana', { outcome: 'retry' })).toMatchObject({ body: { state: 'done', ended: 15 } })
  const rows = await database.sql`
    select epoch, tries, owner, extract(epoch from run_at - now())::float8 as seconds from job where id = any(${ids}::text[]) order by run_at`
  expect(rows.map(({ epoch, tries, owner }) => [epoch, tries, owner])).toEqual(ids.map(() => [4, 0, null]))
  expect((rows.at(-1)?.seconds ?? 0) - (rows[0]?.seconds ?? 0)).toBeWithin(2.7, 2.9)
  expect(await openCount()).toBe(15)
  expect(woken).toBeGreaterThan(0)
})

test('an acceptance takes the attempts whose id is known and leaves the others in review', async () => {
  const [silent = ''] = await fillReviews(database.sql, { provider: 'fal' })
  const [told = ''] = await fillReviews(database.sql, { provider: 'fal', calledBack: true })
  const [overdue = ''] = await fillReviews(database.sql, { provider: 'fal', state: 'overdue' })
  expect(await endAll('ana', { outcome: 'accept' })).toMatchObject({ body: { state: 'done', reviews: 2, left_out: 1, ended: 2 } })
  expect([(await stateOf(silent))?.operator_accepted, (await stateOf(told))?.operator_accepted]).toEqual([false, true])
  // A poll confirms what a callback told before it counts.
  expect(await stateOf(told)).toMatchObject({ state: 'unknown' })
  expect(await stateOf(overdue)).toMatchObject({ state: 'overdue', operator_accepted: true })
  const decisions = await database.sql`select provider_task_id from review_decision order by attempt_id = ${overdue}`
  expect(decisions.map(row => row.provider_task_id)).toEqual(['theirs-1', `task-${overdue}`])
  await database.sql`truncate job`
  await database.sql`delete from attempt where id <> ${silent}`
  const none = await ask('ana', 'POST', '', terms({ outcome: 'accept', reason: 'again' }))
  expect(none).toMatchObject({ status: 404, body: { error: { code: 'no_reviews_fit', details: { left_out: 1 } } } })
  expect(await ask('ana', 'POST', '', terms({ provider: 'off', outcome: 'accept' }))).toMatchObject(refused(400, 'invalid_request'))
})

test('above the limit nothing is ended until another operator with the role money approves it, and then in the name of who asked', async () => {
  const ids = await fillReviews(database.sql, { provider: 'fal', count: limit + 1 })
  const waits = { status: 202, body: { state: 'awaiting_second', asked_by: 'Ana@example.com' } }
  const asked = await ask('ana', 'POST', '', terms())
  expect(asked).toMatchObject(waits)
  const { id } = asked.body
  // The same command, and the same of another operator's, is the same request.
  expect(await ask('ana', 'POST', '', terms())).toMatchObject({ ...waits, body: { id } })
  expect(await ask('bob', 'POST', '', terms())).toMatchObject({ ...waits, body: { id } })
  expect(await ask('ana', 'POST', `/${id}/next`)).toMatchObject(refused(403, 'second_person_required'))
  expect(await ask('ana', 'POST', `/${id}/approve`)).toMatchObject(refused(403, 'operator_role_insufficient'))
  for (const token of ['anaMoney', 'shared'])
    expect([token, await ask(token, 'POST', `/${id}/approve`)]).toMatchObject([
      token,
      refused(token === 'shared' ? 400 : 403, token === 'shared' ? 'invalid_request' : 'second_person_required'),
    ])
  expect(await openCount()).toBe(limit + 1)
  expect(await ask('bob', 'POST', `/${id}/approve`)).toMatchObject({ body: { state: 'running', approved_by: 'bob@example.com' } })
  expect(await ask('bob', 'POST', `/${id}/approve`)).toMatchObject({ body: { state: 'running', approved_by: 'bob@example.com' } })
  expect(await endAll('ana')).toMatchObject({ body: { id, state: 'done', ended: limit + 1, asked_by: 'Ana@example.com' } })
  expect(await findReviewDecisions(database.sql, `vt_${ids[0]}`)).toMatchObject([{ by: 'Ana@example.com' }])
})

test('above the limit neither the shared token asks, nor a name that is no address; up to it, and to retry, each does', async () => {
  await fillReviews(database.sql, { provider: 'fal', count: limit + 1 })
  for (const [token, by] of [
    ['shared', 'carol@example.com'],
    ['eve', undefined],
  ] as const)
    expect([token, await ask(token, 'POST', '', terms({ by }))]).toMatchObject([token, refused(403, 'second_person_required')])
  expect(await endAll('eve', { outcome: 'retry' })).toMatchObject({ body: { state: 'done', ended: limit + 1 } })
  await database.sql`delete from attempt where id = (select min(id) from attempt)`
  expect(await endAll('eve')).toMatchObject({ body: { state: 'done', ended: limit, asked_by: 'eve' } })
})

test('whoever may only read ends nothing', async () => {
  await fillReviews(database.sql, { provider: 'fal' })
  expect(await ask('reader', 'POST', '', terms())).toMatchObject(refused(403, 'operator_role_insufficient'))
  expect(await ask('reader', 'POST', '/1/next')).toMatchObject(refused(403, 'operator_role_insufficient'))
  expect(await ask('nobody', 'GET', '')).toMatchObject(refused(401, 'operator_token_required'))
  expect(await openCount()).toBe(1)
})

test('interrupted halfway, what is ended stays ended, and the same command goes on with the rest, each review once', async () => {
  await fillReviews(database.sql, { provider: 'fal', count: 1_700 })
  const asked = await ask('ana', 'POST', '', terms({ outcome: 'retry' }))
  expect(await ask('ana', 'POST', `/${asked.body.id}/next`)).toMatchObject({ status: 202, body: { state: 'running', ended: 500 } })
  // Two go on at once; a review ends by itself meanwhile.
  await database.sql`update attempt set state = 'refused', review_since = null where id = (select max(id) from attempt)`
  await Promise.all([ask('ana', 'POST', `/${asked.body.id}/next`), ask('bob', 'POST', `/${asked.body.id}/next`)])
  expect(await endAll('ana', { outcome: 'retry' })).toMatchObject({
    body: { id: asked.body.id, state: 'done', reviews: 1_700, ended: 1_699 },
  })
  expect(await ask('ana', 'POST', `/${asked.body.id}/next`)).toMatchObject({ status: 200, body: { state: 'done', ended: 1_699 } })
  const [row] = await database.sql`select count(*) as decisions, count(distinct attempt_id) as attempts from review_decision`
  expect(row).toEqual({ decisions: 1_699, attempts: 1_699 })
})

test('a batch that fails writes nothing of itself', async () => {
  await fillReviews(database.sql, { provider: 'fal', count: 3 })
  const { body } = await ask('ana', 'POST', '', terms())
  await database.sql`alter table review_decision add constraint broken check (decision <> 'refund') not valid`
  try {
    expect((await ask('ana', 'POST', `/${body.id}/next`)).status).toBe(500)
    expect([await openCount(), (await ask('reader', 'GET', '')).body.data[0].ended]).toEqual([3, 0])
  } finally {
    await database.sql`alter table review_decision drop constraint broken`
  }
  expect(await endAll('ana')).toMatchObject({ body: { id: body.id, state: 'done', ended: 3 } })
})

test('what means no review, or is no request, is refused by name', async () => {
  expect(await ask('ana', 'POST', '', terms())).toMatchObject(refused(404, 'no_reviews_fit'))
  await fillReviews(database.sql, { provider: 'fal' })
  expect(await ask('ana', 'POST', '', terms({ provider: 'kling' }))).toMatchObject(refused(404, 'no_reviews_fit'))
  for (const own of [
    { from: hour.to, to: hour.from },
    { from: hour.to },
    { to: new Date(Date.now() + 60_000).toISOString() },
    { from: 'yesterday' },
    { from: '2026-02-30T00:00:00Z' },
    { from: '0000-01-01T00:00:00Z' },
    { from: '2026-11-01' },
    { outcome: 'ignore' },
    { provider: 'a b' },
    { provider: '' },
    { reason: '' },
    { cause: '' },
    { extra: 1 },
  ]) {
    expect([own, await ask('ana', 'POST', '', terms(own))]).toMatchObject([own, refused(400, 'invalid_request')])
    if (!('reason' in own)) expect([own, await preview(own)]).toMatchObject([own, refused(400, 'invalid_request')])
  }
  for (const path of ['/999/next', '/x/next', '/-1/next', '/999/approve'])
    expect([path, await ask('bob', 'POST', path)]).toMatchObject([path, refused(404, 'bulk_end_not_found')])
  expect(await openCount()).toBe(1)
})

test('five thousand reviews take few statements, those of their batches', async () => {
  await fillReviews(database.sql, { provider: 'fal', count: 5_000 })
  const { id } = (await ask('ana', 'POST', '', terms({ outcome: 'retry' }))).body
  let statements = 0
  const counting = { options: { ...database.sql.options, debug: () => statements++ } } as unknown as Sql
  const bulk = await onOwnConnection(counting, 10_000, async sql => {
    const own = createOutbox({ sql, bus: { publish: async () => {} }, log: testLog })
    let last = await endNextReviews({ ...deps, outbox: own }, Number(id))
    while (last.endedAt === null) last = await endNextReviews({ ...deps, outbox: own }, Number(id))
    await own.stop()
    return last
  })
  expect(bulk.ended).toBe(5_000)
  // Ten batches of a transaction with some ten statements, and the driver's own queries.
  expect(statements).toBeGreaterThan(50)
  expect(statements).toBeLessThan(300)
})
