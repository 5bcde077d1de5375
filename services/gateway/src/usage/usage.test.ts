import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ChangeKind, CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { PipelineEvent } from '../projection/pipeline-event'
import { breakdown, day, type Page, refunded, reserved, usageRecords } from './testing/usage-records'

const { newAccount, newTask, record, client, drop } = await usageRecords()
afterAll(drop)

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
    key_id: 'k',
    tags: null,
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
    'created_at,task_id,change_id,kind,model,mode,resolution,billed_seconds,credits,balance_after,price_version,breakdown,surface,key_id,tags',
  )
  expect(row).toMatch(/^2026-11-21T10:00:00.000Z,vt_[0-9a-z]{26},,reservation,alpha-h3,text-to-video,768p,5,-3,7,p1,"(.*)",api,k,$/)
  expect(JSON.parse(/"(.*)",api,k,$/.exec(row ?? '')?.[1]?.replaceAll('""', '"') ?? '')).toEqual(breakdown)
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
