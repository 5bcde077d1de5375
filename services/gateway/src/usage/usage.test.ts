import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { insertOutbox } from '@filmgate/kit/outbox/outbox-repository'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { ChangeKind, CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { Elysia } from 'elysia'
import type { PriceLine } from '../catalog/compile-price'
import type { PipelineEvent } from '../projection/pipeline-event'
import { recordUsage } from '../projection/record-usage'
import { listTasks } from '../tasks/list-routes'
import { newTaskId } from '../tasks/task-id'
import { insertTasks } from '../tasks/task-repository'
import { usage } from './routes'
import { showRecords } from './show-usage'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const day = (text: string) => new Date(`2026-11-${text}Z`)

async function newAccount(): Promise<string> {
  const id = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${id}, 'test')`
  return id
}

/** As of 5 s with 10 s of reference video. */
const breakdown: PriceLine[] = [
  { item: 'output', quantity: 5, unit: 'second', rate: 5, credits: 25 },
  { item: 'input_video', quantity: 10, unit: 'second', rate: 1.7, credits: 17 },
]

async function newTask(
  accountId: string,
  { model = 'alpha-h3', surface = 'api', billing = 'reserved', phase = 'accepted' } = {},
): Promise<string> {
  const task = {
    id: newTaskId(),
    accountId,
    keyId: 'k',
    surface: 'api' as const,
    prompt: 'a cat',
    idempotencyKey: crypto.randomUUID(),
    fingerprint: Buffer.alloc(32),
    model,
    mode: 'text-to-video',
    resolution: '768p',
    billedSeconds: 5,
    breakdown,
    priceVersion: 'p1',
    createdAt: new Date(),
    admitBy: new Date(),
    eventId: crypto.randomUUID(),
  }
  await insertTasks(database.sql, [task], insertOutbox(database.sql, []), 600_000)
  await database.sql`update task set surface = ${surface}, billing_status = ${billing}, phase = ${phase} where id = ${task.id}`
  return task.id
}

const reserved = (taskId: string, credits: bigint, available: bigint, at: Date): PipelineEvent =>
  create(CreditsEventSchema, {
    event: { case: 'creditsReserved', value: { order: { taskId, credits }, available, at: timestampFromDate(at) } },
  }).event
const refunded = (taskId: string, credits: bigint, available: bigint, at: Date): PipelineEvent =>
  create(CreditsEventSchema, { event: { case: 'creditsRefunded', value: { taskId, credits, available, at: timestampFromDate(at) } } }).event
const record = (events: PipelineEvent[]) => recordUsage(database.sql, events)

/** The routes as `accountId` sees them. */
function client(accountId: string) {
  const caller = {
    findCaller: async () => ({ accountId, keyId: 'k' }),
    takeToken: async () => ({ taken: true, left: 1, waitMs: 0 }),
    takeAddressToken: () => ({ taken: true, left: 1, waitMs: 0 }),
    clientAddress: () => '',
    rateLimit: 30,
    addressRateLimit: 120,
  }
  const deps = { sql: database.sql, now: () => day('30T00:00:00'), ...caller }
  const app = new Elysia({ normalize: false }).use(usage(deps)).use(listTasks(deps))
  const ask = (path: string, accept: string) =>
    app.handle(new Request(`http://localhost${path}`, { headers: { authorization: 'Bearer x', accept } }))
  return {
    get: async (path: string): Promise<Page> => (await ask(path, 'application/json')).json() as Promise<Page>,
    async csv(path: string) {
      const response = await ask(path, 'text/csv')
      return { headers: response.headers, text: await response.text() }
    },
  }
}

type Page = {
  data: {
    id: string
    task_id: string
    kind: string
    surface: string | null
    model: string | null
    credits: number
    balance_after: number
  }[]
  next_cursor: string | null
}

test('a reservation and its refund are one entry each, however often they are told', async () => {
  const account = await newAccount()
  const task = await newTask(account)
  const events = [reserved(task, 42n, 58n, day('20T10:00:00')), refunded(task, 42n, 100n, day('20T10:05:00'))]
  await record(events)
  await record(events)
  const entry = {
    task_id: task,
    change_id: null,
    model: 'alpha-h3',
    mode: 'text-to-video',
    resolution: '768p',
    billed_seconds: 5,
    price_version: 'p1',
    breakdown,
    surface: 'api',
  }
  expect<object>(await client(account).get('/usage')).toEqual({
    object: 'list',
    data: [
      { ...entry, created_at: '2026-11-20T10:05:00.000Z', kind: 'refund', credits: 42, balance_after: 100 },
      { ...entry, created_at: '2026-11-20T10:00:00.000Z', kind: 'reservation', credits: -42, balance_after: 58 },
    ],
    has_more: false,
    next_cursor: null,
  })
})

test('the console’s records tell both balances apart and add up to the paid one; the API has those of its own surface', async () => {
  const account = await newAccount()
  const [ofWeb, ofApi] = [await newTask(account, { surface: 'web' }), await newTask(account)]
  const held = (taskId: string, starter: bigint, available: bigint, balanceVersion: bigint) => {
    const value = { order: { taskId, credits: 42n }, starter, available, balanceVersion, at: timestampFromDate(day('20T10:00:00')) }
    return create(CreditsEventSchema, { event: { case: 'creditsReserved', value } }).event
  }
  const granted = { changeId: `g-${account}`, accountId: account, kind: ChangeKind.GRANT, credits: 30n, owed: 30n, balance: Balance.PAID }
  const returned = {
    taskId: ofWeb,
    credits: 42n,
    starter: 40n,
    available: 58n,
    balanceVersion: 4n,
    at: timestampFromDate(day('20T10:00:01')),
  }
  await record([
    held(ofWeb, 40n, 98n, 2n),
    held(ofApi, 0n, 56n, 3n),
    create(CreditsEventSchema, { event: { case: 'creditsRefunded', value: returned } }).event,
    // It repaid what was owed and moved no balance: there is nothing to record.
    create(CreditsEventSchema, { event: { case: 'creditsChangeDecided', value: { ...granted, applied: true, balanceVersion: 5n } } }).event,
  ])
  const asked = { request: new Request('http://localhost/usage'), set: { headers: {} }, accountId: account, leftMs: 1_000 }
  const deps = { sql: database.sql, now: () => new Date() }
  const { data } = (await showRecords(deps, { ...asked, surfaces: 'all' })) as { data: Record<string, unknown>[] }
  expect(data.map(one => [one.task_id, one.surface, one.credits, one.paid_credits, one.starter_credits, one.balance_after])).toEqual([
    [ofWeb, 'web', 42, 2, 40, 58],
    [ofApi, 'api', -42, -42, 0, 56],
    [ofWeb, 'web', -42, -2, -40, 98],
  ])
  // The API has the two paid credits that moved each time, without the task; its records add up to the paid balance.
  const { data: ofKey } = await client(account).get('/usage')
  expect(ofKey.map(one => [one.task_id, one.surface, one.model, one.credits, one.balance_after])).toEqual([
    [null, 'web', null, 2, 58],
    [ofApi, 'api', 'alpha-h3', -42, 56],
    [null, 'web', null, -2, 98],
  ])
  const csv = await showRecords(deps, {
    ...asked,
    surfaces: 'all',
    request: new Request('http://localhost/usage', { headers: { accept: 'text/csv' } }),
  })
  expect(String(csv).split('\r\n')[0]).toEndWith(',breakdown,surface,paid_credits,starter_credits')
})

test('two hundred changes of one moment, told in any order: every record is the one before it plus its credits, grants and debits too', async () => {
  const account = await newAccount()
  const at = timestampFromDate(day('20T10:00:00'))
  let available = 0n
  const events: PipelineEvent[] = []
  for (let version = 1n; version <= 200n; version++) {
    const balance = { balanceVersion: version, at }
    if (version % 4n === 2n) {
      available -= 3n
      const order = { taskId: await newTask(account), credits: 3n }
      events.push(create(CreditsEventSchema, { event: { case: 'creditsReserved', value: { order, available, ...balance } } }).event)
    } else {
      const debit = version % 4n === 0n
      available += debit ? -2n : 9n
      const terms = { kind: debit ? ChangeKind.DEBIT : ChangeKind.GRANT, credits: debit ? 2n : 9n, balance: Balance.PAID }
      const value = { changeId: `c-${account}-${version}`, accountId: account, ...terms, applied: true, available, ...balance }
      events.push(create(CreditsEventSchema, { event: { case: 'creditsChangeDecided', value } }).event)
    }
  }
  const shuffled = events.toSorted(() => Math.random() - 0.5)
  for (let from = 0; from < 200; from += 20) await record(shuffled.slice(from, from + 20))
  await record(shuffled)
  const { get } = client(account)
  const seen: Page['data'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await get(`/usage?limit=30${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.data)
    cursor = page.next_cursor
  }
  expect(seen).toHaveLength(200)
  let balance = 0
  for (const { credits, balance_after } of seen.toReversed()) {
    balance += credits
    expect(balance_after).toBe(balance)
  }
  expect(balance).toBe(Number(available))
  expect(seen.find(({ kind }) => kind === 'debit')).toMatchObject({
    task_id: null,
    change_id: expect.stringContaining(account),
    model: null,
    credits: -2,
  })
})

test('starter credits, declined debits and changes decided before their balance was kept are no records', async () => {
  const account = await newAccount()
  const changed = (value: object) =>
    create(CreditsEventSchema, {
      event: {
        case: 'creditsChangeDecided',
        value: {
          changeId: crypto.randomUUID(),
          accountId: account,
          kind: ChangeKind.GRANT,
          balance: Balance.PAID,
          credits: 5n,
          applied: true,
          available: 5n,
          balanceVersion: 1n,
          ...value,
        },
      },
    }).event
  await record([
    changed({ balance: Balance.STARTER }),
    changed({ applied: false }),
    changed({ balanceVersion: 0n }),
    changed({ accountId: 'acct_elsewhere' }),
  ])
  expect((await client(account).get('/usage')).data).toEqual([])
})

test('starter credits that the console spent leave no record of the API, nor does a generation that costs nothing', async () => {
  const account = await newAccount()
  const value = {
    order: { taskId: await newTask(account, { surface: 'web' }), credits: 5n },
    starter: 5n,
    at: timestampFromDate(day('20T10:00:00')),
  }
  await record([
    create(CreditsEventSchema, { event: { case: 'creditsReserved', value } }).event,
    reserved(await newTask(account), 0n, 1n, day('20T10:00:00')),
  ])
  expect((await client(account).get('/usage')).data).toEqual([])
  expect((await client(account).get('/usage/summary')).data).toEqual([])
})

test('what the console spent is in the records and the sums, without a word of its tasks, so that both are the whole balance', async () => {
  const account = await newAccount()
  const [web, again] = [await newTask(account, { surface: 'web' }), await newTask(account, { surface: 'web' })]
  const at = (second: number) => timestampFromDate(day(`20T10:00:0${second}`))
  const held = (taskId: string, available: bigint, balanceVersion: bigint, starter = 0n) =>
    create(CreditsEventSchema, {
      event: {
        case: 'creditsReserved',
        value: { order: { taskId, credits: 100n }, starter, available, balanceVersion, at: at(Number(balanceVersion)) },
      },
    }).event
  const settled = { taskId: again, credits: 20n, refunded: 80n, refundedStarter: 20n, available: 700n, balanceVersion: 6n, at: at(6) }
  await record([
    held(await newTask(account), 900n, 2n),
    held(web, 800n, 3n),
    held(await newTask(account), 700n, 4n),
    held(again, 640n, 5n, 40n),
    create(CreditsEventSchema, { event: { case: 'creditsSettled', value: settled } }).event,
  ])
  const { get, csv } = client(account)
  const seen: Page['data'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await get(`/usage?limit=1${cursor && `&cursor=${cursor}`}`)
    expect(Buffer.from(page.next_cursor ?? '', 'base64url').toString()).not.toMatch(new RegExp(`${web}|${again}`))
    seen.push(...page.data)
    cursor = page.next_cursor
  }
  expect(seen.map(({ surface, credits, balance_after }) => [surface, credits, balance_after])).toEqual([
    ['web', 60, 700],
    ['web', -60, 640],
    ['api', -100, 700],
    ['web', -100, 800],
    ['api', -100, 900],
  ])
  expect<object | undefined>(seen[3]).toEqual({
    created_at: '2026-11-20T10:00:03.000Z',
    task_id: null,
    change_id: null,
    kind: 'reservation',
    model: null,
    mode: null,
    resolution: null,
    billed_seconds: 0,
    credits: -100,
    balance_after: 800,
    price_version: null,
    breakdown: null,
    surface: 'web',
  })
  const sum = { day: '2026-11-20', generations: 2, refunds: 0, billed_seconds: 10, credits_refunded: 0 }
  const { data } = await get('/usage/summary')
  expect<object[]>(data).toEqual([
    { ...sum, model: 'alpha-h3', credits_used: 200, credits_net: 200 },
    { ...sum, model: null, refunds: 1, billed_seconds: 0, credits_used: 160, credits_refunded: 60, credits_net: 100 },
  ])
  expect((await get('/usage?model=alpha-h3')).data.map(({ credits }) => credits)).toEqual([-100, -100])
  expect((await get('/usage/summary?model=alpha-h3')).data).toHaveLength(1)
  expect((await csv('/usage')).text).not.toMatch(new RegExp(`${web}|${again}`))
  expect((await csv('/usage/summary')).text.split('\r\n')[2]).toBe('2026-11-20,,2,1,0,160,60,100')
})

test('pages hold every entry once, also those of one moment', async () => {
  const account = await newAccount()
  const tasks = await Promise.all(Array.from({ length: 7 }, () => newTask(account)))
  await record(tasks.map((task, index) => reserved(task, 1n, 9n, day(index < 4 ? '20T10:00:00' : '21T10:00:00'))))
  const { get } = client(account)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await get(`/usage?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.data.map(each => each.task_id))
    cursor = page.next_cursor
  }
  expect(seen.toSorted()).toEqual(tasks.toSorted())
  expect((await get('/usage?from=2026-11-21&to=2026-11-22')).data).toHaveLength(3)
  expect((await client(await newAccount()).get('/usage')).data).toEqual([])
})

test('the summary is by day and model, and a refund takes the seconds back', async () => {
  const account = await newAccount()
  const [a, b, c] = [await newTask(account), await newTask(account, { model: 'beta-2.5' }), await newTask(account)]
  await record([
    reserved(a, 40n, 60n, day('20T23:59:59')),
    reserved(b, 10n, 50n, day('21T00:00:00')),
    reserved(c, 20n, 30n, day('21T01:00:00')),
    refunded(a, 40n, 70n, day('21T02:00:00')),
  ])
  const { get } = client(account)
  const sum = (values: object) => ({ generations: 1, refunds: 0, credits_refunded: 0, billed_seconds: 5, ...values })
  const { data } = await get('/usage/summary')
  expect<object[]>(data).toEqual([
    sum({ day: '2026-11-21', model: 'alpha-h3', refunds: 1, billed_seconds: 0, credits_used: 20, credits_refunded: 40, credits_net: -20 }),
    sum({ day: '2026-11-21', model: 'beta-2.5', credits_used: 10, credits_net: 10 }),
    sum({ day: '2026-11-20', model: 'alpha-h3', credits_used: 40, credits_net: 40 }),
  ])
  expect((await get('/usage/summary?model=beta-2.5')).data).toHaveLength(1)
})

test('CSV has the same rows, and the next page in its Link', async () => {
  const account = await newAccount()
  for (const at of ['20T10:00:00', '21T10:00:00']) await record([reserved(await newTask(account), 3n, 7n, day(at))])
  const { csv } = client(account)
  const { headers, text } = await csv('/usage?limit=1&model=alpha-h3')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, row, ...rest] = text.split('\r\n')
  expect(head).toBe(
    'created_at,task_id,change_id,kind,model,mode,resolution,billed_seconds,credits,balance_after,price_version,breakdown,surface',
  )
  expect(row).toMatch(/^2026-11-21T10:00:00.000Z,vt_[0-9a-z]{26},,reservation,alpha-h3,text-to-video,768p,5,-3,7,p1,"(.*)",api$/)
  expect(JSON.parse(/"(.*)",api$/.exec(row ?? '')?.[1]?.replaceAll('""', '"') ?? '')).toEqual(breakdown)
  expect(rest).toEqual([''])
  const next = /^<(\?[^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  expect((await csv(`/usage${next}`)).text).toContain('2026-11-20')
  expect((await csv('/usage/summary')).text.split('\r\n')[1]).toBe('2026-11-21,alpha-h3,1,0,5,3,0,3')
})

test('tasks are listed newest first, by the status that GET /tasks/{id} shows, and only those a client may see', async () => {
  const account = await newAccount()
  const done = await newTask(account, { phase: 'completed', billing: 'settled' })
  const unsettled = await newTask(account, { phase: 'completed', billing: 'reserved' })
  const failed = await newTask(account, { phase: 'refused', billing: 'refund_pending' })
  const running = await newTask(account)
  await newTask(account, { surface: 'web' })
  const { get } = client(account)
  const ids = async (query: string) => (await get(`/tasks${query}`)).data.map(task => task.id)
  expect(await ids('')).toEqual([running, failed, unsettled, done])
  expect(await ids('?status=processing')).toEqual([running, unsettled])
  expect(await ids('?status=completed')).toEqual([done])
  expect(await ids('?status=failed')).toEqual([failed])
  const first = await get('/tasks?limit=3')
  expect(await ids(`?limit=3&cursor=${first.next_cursor}`)).toEqual([done])
  expect(first.data[0]).toMatchObject({ id: running, status: 'processing', billing_status: 'reserved' })
})
