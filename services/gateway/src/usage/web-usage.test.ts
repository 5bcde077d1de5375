import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ChangeKind, CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { showRecords, showSums } from './show-usage'
import { day, type Page, reserved, usageRecords } from './testing/usage-records'

const { newAccount, newTask, record, client, sql, drop } = await usageRecords()
afterAll(drop)

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
  const deps = { sql, now: () => new Date() }
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
  expect(String(csv).split('\r\n')[0]).toEndWith(',surface,key_id,tags,paid_credits,starter_credits')
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
    key_id: null,
    tags: null,
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

test('the console’s sums tell apart what is held for tasks that run, and what was of the starter balance; the API’s have neither', async () => {
  const account = await newAccount()
  const at = day('20T10:00:00')
  const [running, done] = [await newTask(account, { surface: 'web' }), await newTask(account)]
  await sql`update task set phase_rank = 4, billing_rank = 4 where id = ${done}`
  await sql`update task set phase_rank = 2, billing_rank = 1 where id = ${running}`
  const starter = { order: { taskId: running, credits: 42n }, starter: 40n, available: 98n, balanceVersion: 2n, at: timestampFromDate(at) }
  await record([create(CreditsEventSchema, { event: { case: 'creditsReserved', value: starter } }).event, reserved(done, 30n, 68n, at)])
  const deps = { sql, now: () => day('21T00:00:00') }
  const asked = { request: new Request('http://localhost/usage/summary'), set: { headers: {} }, accountId: account, leftMs: 1_000 }
  const { data } = (await showSums(deps, { ...asked, surfaces: 'all' })) as { data: object[] }
  expect(data).toEqual([
    expect.objectContaining({ day: '2026-11-20', credits_used: 72, credits_net: 72, credits_held: 42, starter_credits_net: 40 }),
  ])
  const ofApi = (await showSums(deps, { ...asked, surfaces: 'api' })) as { data: object[] }
  expect(Object.keys(ofApi.data[0] ?? {})).not.toContain('credits_held')
})
