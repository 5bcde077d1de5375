import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Answered } from '@filmgate/kit/http/spans'
import { consoleApi, newAccountId } from '../console/testing/console-api'
import { forgetRequests } from './forget-requests'
import { createRequestLog } from './request-log'

let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi()
})
afterAll(() => api.close())

const noon = new Date('2026-11-20T12:00:00Z')
const requestId = 'ab'.repeat(16)
const refusal = { error: { code: 'insufficient_credits', message: 'Too few credits.' } }

type Asked = Partial<Omit<Answered, 'request' | 'notes'>> & { method?: string; path?: string; notes?: Record<string, string> }

/** A log at noon, and what it takes: POSTs of a key of the account, where nothing else is said. */
function logOf(accountId: string, sql = api.sql) {
  const log = createRequestLog({ sql, now: () => noon })
  const add = ({ method = 'POST', path = '/api/v1/video/generations', notes = {}, ...rest }: Asked = {}) =>
    log.add({
      ...{ request: new Request(`https://api.example${path}`, { method }), route: path, status: 202, ms: 1_000, requestId },
      notes: { account_id: accountId, key_id: 'key_1', ...notes },
      ...rest,
    })
  return { log, add }
}

type Row = Record<string, unknown>
const rowsOf = async (accountId: string, query = '') => {
  const { status, body } = await api.ask('GET', `/accounts/${accountId}/requests${query}`)
  expect(status).toBe(200)
  return body as { data: Row[]; next_cursor: string | null }
}
const countsOf = async (accountId: string, query = '?from=2026-11-01&to=2026-12-01') =>
  (await api.ask('GET', `/accounts/${accountId}/requests/counts${query}`)).body.data as Row[]

test('a POST is kept with what its answer was; a read that is answered is counted alone', async () => {
  const id = await api.open()
  const { log, add } = logOf(id)
  add({ notes: { task_id: 'vt_1' } })
  add({ method: 'GET', path: '/api/v1/tasks/vt_1', route: '/api/v1/tasks/:id', status: 200 })
  add({ method: 'GET', path: '/api/v1/tasks/vt_1', route: '/api/v1/tasks/:id', status: 200 })
  add({ method: 'GET', path: '/api/v1/tasks/vt_1/events', status: 499, refusal })
  await log.flush()
  expect((await rowsOf(id)).data).toEqual([
    {
      ...{ account_id: id, key_id: 'key_1', created_at: '2026-11-20T11:59:59.000Z', method: 'POST', path: '/api/v1/video/generations' },
      ...{ status: 202, code: null, duration_ms: 1_000, request_id: requestId, task_id: 'vt_1', refusal: null },
    },
  ])
  const day = '2026-11-20'
  expect(await countsOf(id)).toEqual([
    { day, method: 'GET', route: '/api/v1/tasks/:id', status: 200, requests: 2 },
    { day, method: 'GET', route: '/api/v1/tasks/vt_1/events', status: 499, requests: 1 },
    { day, method: 'POST', route: '/api/v1/video/generations', status: 202, requests: 1 },
  ])
})

test('a refusal is kept with its body, of a read too; a query never is', async () => {
  const id = await api.open()
  const { log, add } = logOf(id)
  add({ method: 'GET', path: '/api/v1/tasks/none?token=secret', status: 404, notes: { code: 'task_not_found' }, refusal })
  await log.flush()
  const [row] = (await rowsOf(id)).data
  expect(row).toMatchObject({ path: '/api/v1/tasks/none', status: 404, code: 'task_not_found', refusal })
})

test('of what the rate limit refuses one request a key and flush is kept, and all are counted', async () => {
  const id = await api.open()
  const { log, add } = logOf(id)
  const limited = { status: 429, notes: { code: 'rate_limited' } }
  for (let n = 0; n < 500; n++) add(limited)
  add({ ...limited, notes: { ...limited.notes, key_id: 'key_2' } })
  await log.flush()
  expect((await rowsOf(id)).data.map(({ key_id }) => key_id).sort()).toEqual(['key_1', 'key_2'])
  add(limited)
  await log.flush()
  expect((await rowsOf(id)).data).toHaveLength(3)
  expect((await countsOf(id)).map(({ requests }) => requests)).toEqual([502])
  expect((await countsOf(id, '?from=2026-11-01&to=2026-12-01&key_id=key_2')).map(({ requests }) => requests)).toEqual([1])
})

test('what has no valid key, and what a person asks through the console, is not kept', async () => {
  const log = createRequestLog({ sql: api.sql, now: () => noon })
  const asked = { request: new Request('https://api.example/x', { method: 'POST' }), route: '/x', status: 401, ms: 1, requestId }
  const id = await api.open()
  const notOfAKey: Record<string, string>[] = [{}, { key_id: 'key_1' }, { account_id: id, person_id: 'p1' }]
  for (const notes of notOfAKey) log.add({ ...asked, notes })
  await log.flush()
  expect((await rowsOf(id)).data).toEqual([])
  expect(await countsOf(id)).toEqual([])
})

test('what could not be written is written by a later flush; an immense refusal by its code and message', async () => {
  const id = await api.open()
  let away = true
  const unsteady = new Proxy(api.sql, {
    apply(target, self, args) {
      if (away) throw new Error('the database is away')
      return Reflect.apply(target, self, args)
    },
  })
  const { log, add } = logOf(id, unsteady)
  add({ status: 400, refusal: { error: { code: 'invalid_request', message: 'no', details: { issues: ['x'.repeat(10_000)] } } } })
  await expect(log.flush()).rejects.toThrow('away')
  add()
  away = false
  await log.flush()
  await log.flush()
  const { data } = await rowsOf(id)
  expect(data).toHaveLength(2)
  expect(data.map(row => row.refusal).filter(Boolean)).toEqual([{ error: { code: 'invalid_request', message: 'no' } }])
  expect((await countsOf(id)).map(({ requests, status }) => [status, requests])).toEqual([
    [202, 1],
    [400, 1],
  ])
})

test('what the database never takes keeps nothing that comes after it from being written', async () => {
  const id = await api.open()
  const { log, add } = logOf(id)
  add({ requestId: 'no-such-id' })
  await expect(log.flush()).rejects.toThrow('uuid')
  add({ path: '/later' })
  await log.flush()
  expect((await rowsOf(id)).data.map(({ path }) => path)).toEqual(['/later'])
})

test('pages follow each other without loss, and nothing of another account is on them', async () => {
  const [id, other] = [await api.open(), await api.open()]
  for (const account of [id, other]) {
    const { log, add } = logOf(account)
    for (let n = 0; n < 7; n++) add({ ms: n % 3, path: `/api/v1/${account}/${n}` })
    await log.flush()
  }
  const paths: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await rowsOf(id, `?limit=2${cursor && `&cursor=${cursor}`}`)
    paths.push(...page.data.map(({ path }) => path))
    cursor = page.next_cursor
  }
  expect(paths.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6].map(n => `/api/v1/${id}/${n}`))
})

test('requests are found by result, code, key, time and X-Request-Id; faults of the query are told', async () => {
  const id = await api.open()
  const { log, add } = logOf(id)
  add({ path: '/made', ms: 7_200_000 })
  add({ path: '/poor', status: 402, notes: { code: 'insufficient_credits' }, requestId: 'cd'.repeat(16) })
  add({ path: '/faulty', status: 400, notes: { code: 'invalid_request', key_id: 'key_2' } })
  await log.flush()
  const found = async (query: string) => (await rowsOf(id, `?${query}`)).data.map(({ path }) => path).sort()
  expect(await found('result=refused')).toEqual(['/faulty', '/poor'])
  expect(await found('result=accepted')).toEqual(['/made'])
  expect(await found('code=insufficient_credits')).toEqual(['/poor'])
  expect(await found('key_id=key_2')).toEqual(['/faulty'])
  expect(await found('key_id=key_2&result=accepted')).toEqual([])
  expect(await found('to=2026-11-20T11:00:00Z')).toEqual(['/made'])
  expect(await found('from=2026-11-20T11:00:00Z')).toEqual(['/faulty', '/poor'])
  expect(await found(`request=${'CD'.repeat(16)}`)).toEqual(['/poor'])
  for (const query of ['request=12', 'result=good', 'cursor=x', 'from=yesterday', 'text=x'])
    expect((await api.ask('GET', `/accounts/${id}/requests?${query}`)).status).toBe(400)
  expect((await api.ask('GET', `/accounts/${id}/requests/counts?from=yesterday`)).status).toBe(400)
  expect((await api.ask('GET', `/accounts/${newAccountId()}/requests`)).status).toBe(404)
})

test('a search looks at ten thousand requests, and goes on behind them', async () => {
  const id = await api.open()
  await api.sql`
    insert into request_log (account_id, key_id, at, method, path, status, duration_ms, request_id)
    select ${id}, case when n = 10001 then 'rare' else 'key_1' end, ${noon}::timestamptz - n * interval '1 second', 'POST', '/' || n, 202, 1, gen_random_uuid()
    from generate_series(1, 10002) as n`
  const first = await rowsOf(id, '?key_id=rare')
  expect(first).toMatchObject({ data: [], has_more: true })
  const second = await rowsOf(id, `?key_id=rare&cursor=${first.next_cursor}`)
  expect(second.data.map(({ path }) => path)).toEqual(['/10001'])
  expect(second.next_cursor).toBeNull()
})

test('what is older than thirty days is deleted, more than one statement of it', async () => {
  const id = newAccountId()
  await api.sql`
    insert into request_log (account_id, key_id, at, method, path, status, duration_ms, request_id)
    select ${id}, 'key_1', now() - interval '31 days', 'POST', '/old', 202, 1, gen_random_uuid() from generate_series(1, 5001)`
  await api.sql`
    insert into request_log (account_id, key_id, at, method, path, status, duration_ms, request_id)
    values (${id}, 'key_1', now() - interval '29 days', 'POST', '/kept', 202, 1, gen_random_uuid())`
  await api.sql`
    insert into request_count (account_id, day, key_id, method, route, status, requests)
    select ${id}, (now() at time zone 'UTC')::date - days, 'key_1', 'POST', '/', 202, 1 from unnest(array[29, 31]) as days`
  // Those of the other tests came first, and the oldest ids are looked at first.
  await api.sql`delete from request_log where account_id <> ${id}`
  await forgetRequests(api.sql, new AbortController().signal)
  const left = await api.sql<{ path: string }[]>`select path from request_log where account_id = ${id}`
  expect(left.map(({ path }) => path)).toEqual(['/kept'])
  const [{ counts } = { counts: 0 }] = await api.sql<{ counts: number }[]>`
    select count(*)::int as counts from request_count where account_id = ${id}`
  expect(counts).toBe(1)
})
