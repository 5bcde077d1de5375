import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createReadiness } from '@filmgate/kit/http/server'
import { testLog } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { createApp } from './app'
import { tryLockReplay } from './deliveries/delivery-repository'
import { startParts, taskMessage } from './testing/test-service'

type Row = { id: string; task_id: string | null; event: string }
// biome-ignore lint/suspicious/noExplicitAny: answers of many routes, each held against its own shape
type Answer = { status: number; body: any }

let parts: Awaited<ReturnType<typeof startParts>>
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  parts = await startParts([])
  const operators = testOperators({
    ada: { name: 'ada', role: 'support', actsForOthers: false },
    eve: { name: 'eve', role: 'read', actsForOthers: false },
  })
  const { sql, vault, policy, now, retryForSeconds } = parts
  const deps = {
    sql,
    vault,
    policy,
    now,
    retryForSeconds,
    operators,
    tokens: ['a-token-of-the-gateway'] as const,
    keptDays: 30,
    wake: () => {},
  }
  app = createApp({ ...deps, log: testLog, readiness: createReadiness({}) })
})
afterAll(() => parts.stop())

async function ask(method: string, path: string, body?: unknown, token = 'a-token-of-the-gateway'): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await app.handle(
    new Request(`http://webhooks${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  )
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : {} }
}

const account = () => `acct_${crypto.randomUUID()}`
const url = 'https://example.com/hook'

test('an endpoint is created, listed, changed and deleted; its secret is told once', async () => {
  const own = `/accounts/${account()}/endpoints`
  const { status, body: created } = await ask('POST', own, { url })
  expect(status).toBe(201)
  const { secret, ...endpoint } = created
  expect(secret).toMatch(/^whsec_/)
  expect(endpoint).toEqual({
    id: expect.stringMatching(/^whe_[0-9a-f]{32}$/),
    url,
    description: '',
    events: ['task.completed', 'task.failed', 'task.in_review', 'balance.low'],
    status: 'active',
    paused_reason: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect(await ask('GET', own)).toEqual({ status: 200, body: { object: 'list', data: [endpoint], next_cursor: null } })
  expect(await ask('GET', `${own}/${endpoint.id}`)).toEqual({ status: 200, body: endpoint })
  const changed = await ask('PATCH', `${own}/${endpoint.id}`, { events: ['balance.low'], description: 'mine' })
  expect(changed.body).toEqual({ ...endpoint, events: ['balance.low'], description: 'mine', updated_at: expect.any(String) })
  expect((await ask('DELETE', `${own}/${endpoint.id}`)).status).toBe(204)
  expect((await ask('GET', own)).body.data).toEqual([])
})

test.each([
  ['GET', '', undefined],
  ['PATCH', '', { description: 'x' }],
  ['DELETE', '', undefined],
  ['POST', '/rotate', undefined],
  ['POST', '/resume', undefined],
  ['POST', '/test', undefined],
  ['GET', '/deliveries', undefined],
  ['POST', '/replay', { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }],
])('%s …%s of another account’s endpoint answers like an unknown one', async (method, rest, body) => {
  const { endpoint } = await parts.createEndpoint(account(), url)
  const [another, unknown] = await Promise.all(
    [endpoint.id, 'whe_none'].map(id => ask(method, `/accounts/acct_mine/endpoints/${id}${rest}`, body)),
  )
  expect(another?.status).toBe(404)
  expect(another).toEqual(unknown as Answer)
  expect(
    (await ask(method, `/accounts/${endpoint.accountId}/endpoints/${endpoint.id}${rest}`, body, 'another-token')).body.error.code,
  ).toBe('token_required')
  expect((await ask(method, `/accounts/a%00b/endpoints/a%00b${rest}`, body)).status).toBe(404)
})

test.each([
  [{ description: 'mine' }, true],
  [{ url }, true],
  [{ url: 'https://example.com/another' }, false],
])('failures since an old one are kept after a change to %j: %p', async (change, kept) => {
  const { endpoint } = await parts.createEndpoint(account(), url)
  await parts.sql`update endpoint set failing_since = now() - interval '2 days' where id = ${endpoint.id}`
  expect((await ask('PATCH', `/accounts/${endpoint.accountId}/endpoints/${endpoint.id}`, change)).status).toBe(200)
  const [row] = await parts.sql<{ kept: boolean }[]>`select failing_since is not null as kept from endpoint where id = ${endpoint.id}`
  expect(row?.kept).toBe(kept)
})

test.each([
  [{ url: 'http://example.com/hook' }, 'url is not https'],
  [{ url: 'https://127.0.0.1/hook' }, 'url names no public host: not a public address'],
  [{ url: 'https://metadata.internal/' }, 'url names no public host: a private name'],
  [{ url, events: ['task.started'] }, 'Expected union value'],
  [{ url, secret: 'mine' }, 'Unexpected property'],
])('%j is refused: %s', async (body, message) => {
  const { status, body: answer } = await ask('POST', `/accounts/${account()}/endpoints`, body)
  expect([status, answer.error.code, answer.error.details.issues[0].message]).toEqual([400, 'invalid_request', message])
})

test('an account has at most 20 endpoints, however many are asked for at once', async () => {
  const own = `/accounts/${account()}/endpoints`
  const answers = await Promise.all(Array.from({ length: 25 }, () => ask('POST', own, { url })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(answers.filter(({ status, body }) => status === 409 && body.error.code === 'endpoint_limit')).toHaveLength(5)
})

test('the secret is in no row, and a rotation tells the new one and until when the former signs', async () => {
  const { endpoint, secret } = await parts.createEndpoint(account(), url)
  const { body } = await ask('POST', `/accounts/${endpoint.accountId}/endpoints/${endpoint.id}/rotate`)
  expect(Date.parse(body.former_secret_until) - Date.now()).toBeGreaterThan(86_000_000)
  const [row] = await parts.sql<
    { text: string }[]
  >`select endpoint::text || encode(secret, 'escape') || encode(former_secret, 'escape') as text from endpoint where id = ${endpoint.id}`
  for (const each of [secret, body.secret]) expect(row?.text).not.toContain(each.slice(6))
})

test('deliveries are listed newest first by page, and replayed by id or span', async () => {
  const { endpoint } = await parts.createEndpoint(account(), url)
  const own = `/accounts/${endpoint.accountId}/endpoints/${endpoint.id}`
  const from = new Date(Date.now() - 60_000).toISOString()
  await parts.receive([1, 2, 3].map(index => taskMessage(endpoint.accountId, `vt_${index}`, 'taskEnded', 'failed')))
  expect((await ask('POST', `${own}/test`)).body).toMatchObject({ event: 'webhook.test', task_id: null, status: 'pending', attempts: [] })
  const first = await ask('GET', `${own}/deliveries?limit=3`)
  expect(first.body.data.map((one: Row) => one.task_id)).toEqual([null, 'vt_3', 'vt_2'])
  const second = await ask('GET', `${own}/deliveries?limit=3&cursor=${first.body.next_cursor}`)
  expect([second.body.data.map((one: Row) => one.event), second.body.next_cursor]).toEqual([['task.failed'], null])
  const [{ id }] = second.body.data
  await parts.sql`update delivery set status = 'delivered' where endpoint_id = ${endpoint.id}`
  expect(await ask('POST', `${own}/replay`, { delivery_id: id })).toEqual({ status: 202, body: { replayed: 1, more: false } })
  expect((await ask('GET', `${own}/deliveries?status=pending`)).body.data).toMatchObject([{ id }])
  expect((await ask('POST', `${own}/replay`, { from, to: new Date(Date.now() + 60_000).toISOString() })).body.replayed).toBe(3)
  expect((await ask('POST', `${own}/replay`, { delivery_id: 'msg_none' })).status).toBe(404)
  for (const body of [{}, { from }, { delivery_id: id, from }, { from, to: from }])
    expect((await ask('POST', `${own}/replay`, body)).body.error.code).toBe('invalid_request')
  expect(
    (await ask('GET', `${own}/deliveries?status=x&limit=0&cursor=!`)).body.error.details.issues.map((one: { path: string }) => one.path),
  ).toEqual(['status', 'cursor', 'limit'])
})

test('an account has one replay at a time, which takes no delivery that is due and 1,000 at most', async () => {
  const { endpoint } = await parts.createEndpoint(account(), url)
  const another = await parts.createEndpoint(account(), url)
  const pathOf = ({ accountId, id }: { accountId: string; id: string }) => `/accounts/${accountId}/endpoints/${id}/replay`
  await parts.sql`
    insert into delivery (id, endpoint_id, event_id, event, body, give_up_at, status, due_at)
    select ${endpoint.id} || n, ${endpoint.id}, n, 'task.failed', '{}', now(), case when n <= 1200 then 'failed' else 'pending' end, now()
    from generate_series(1, 1250) n`
  const span = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() }
  await parts.sql.begin(async sql => {
    await tryLockReplay(sql, endpoint.id)
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask('POST', pathOf(endpoint), span)))
    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(Array(12).fill([429, 'replay_running']))
    expect(await ask('POST', pathOf(another.endpoint), span)).toMatchObject({ status: 202 })
  })
  const replays = [await ask('POST', pathOf(endpoint), span), await ask('POST', pathOf(endpoint), span)]
  expect(replays.map(({ body }) => body)).toEqual([
    { replayed: 1_000, more: true },
    { replayed: 200, more: false },
  ])
})

test('an endpoint has at most 60 tests an hour, however many are asked for at once', async () => {
  const { endpoint } = await parts.createEndpoint(account(), url)
  const path = `/accounts/${endpoint.accountId}/endpoints/${endpoint.id}/test`
  const answers = await Promise.all(Array.from({ length: 65 }, () => ask('POST', path)))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(60)
  expect(answers.filter(({ status, body }) => status === 429 && body.error.code === 'test_limit')).toHaveLength(5)
  await parts.sql`update delivery set created_at = created_at - interval '1 hour' where endpoint_id = ${endpoint.id}`
  expect((await ask('POST', path)).status).toBe(202)
})

test('operators list, show, resume and replay; a role that may not is refused', async () => {
  const { endpoint } = await parts.createEndpoint(account(), url)
  await parts.receive([taskMessage(endpoint.accountId, 'vt_1', 'taskEnded')])
  await parts.sql`update endpoint set paused_at = now(), paused_reason = 'gone' where id = ${endpoint.id}`
  const listed = await ask('GET', `/operator/accounts/${endpoint.accountId}/webhooks`, undefined, 'eve')
  expect(listed.body.data).toMatchObject([{ id: endpoint.id, account_id: endpoint.accountId, status: 'paused', paused_reason: 'gone' }])
  const details = await ask('GET', `/operator/webhooks/${endpoint.id}`, undefined, 'eve')
  expect(details.body).toMatchObject({ endpoint: { id: endpoint.id }, deliveries: [{ task_id: 'vt_1', status: 'pending' }] })
  expect(JSON.stringify(details.body)).not.toMatch(/secret|alpha/)
  expect((await ask('POST', `/operator/webhooks/${endpoint.id}/resume`, undefined, 'eve')).status).toBe(403)
  const resumed = await ask('POST', `/operator/webhooks/${endpoint.id}/resume`, undefined, 'ada')
  expect(resumed.body).toMatchObject({ status: 'active', paused_reason: null, resumed_by: 'ada' })
  const span = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() }
  expect((await ask('POST', `/operator/webhooks/${endpoint.id}/replay`, span, 'ada')).body).toEqual({ replayed: 0, more: false })
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/resume'],
  ] as const)
    expect((await ask(method, `/operator/webhooks/whe_none${path}`, undefined, 'ada')).body.error.code).toBe('not_found')
  expect((await ask('GET', '/operator/webhooks/whe_none', undefined, 'nobody')).status).toBe(401)
})

test('old deliveries and those of deleted endpoints go', async () => {
  const { deleteOld } = await import('./deliveries/delete-old')
  const [kept, gone] = [await parts.createEndpoint(account(), url), await parts.createEndpoint(account(), url)]
  for (const { endpoint } of [kept, gone])
    await parts.receive([1, 2].map(index => taskMessage(endpoint.accountId, `vt_${index}`, 'taskEnded')))
  await parts.sql`update delivery set created_at = now() - interval '31 days' where endpoint_id = ${kept.endpoint.id} and task_id = 'vt_1'`
  await parts.sql`update endpoint set deleted_at = now() - interval '1 hour' where id = ${gone.endpoint.id}`
  await deleteOld({ sql: parts.sql, keptDays: 30 })
  const rows = await parts.sql`select task_id from delivery where endpoint_id in (${kept.endpoint.id}, ${gone.endpoint.id})`
  expect([...rows]).toEqual([{ task_id: 'vt_2' }])
  expect(await parts.sql`select 1 from endpoint where id = ${gone.endpoint.id}`).toHaveLength(0)
})

test('sealed secrets are renewed by whoever may act, in portions', async () => {
  const renewal = await ask('POST', '/operator/secrets/renew', {}, 'ada')
  expect(renewal).toEqual({ status: 200, body: { secret: 'FILMGATE_WEBHOOKS_SECRET_KEY', renewed: 0, left: 0, next: null } })
  expect((await ask('POST', '/operator/secrets/renew', { after: 'v\u0000' }, 'ada')).status).toBe(400)
  expect((await ask('POST', '/operator/secrets/renew', {}, 'eve')).status).toBe(403)
  expect((await ask('POST', '/operator/secrets/renew', {}, 'nobody')).status).toBe(401)
})
