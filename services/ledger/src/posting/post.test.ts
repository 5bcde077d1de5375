import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isTransient } from '@filmgate/kit/database/postgres'
import fc from 'fast-check'
import type { Instruction } from '../books/instruction'
import type { Cause } from '../books/reservation-states'
import { ask, conclude, debit, debitBeyond, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { completeRefunds, sweepRefunds } from './complete-refunds'
import { post } from './post'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

type Step =
  | { kind: 'grant'; account: number; credits: number; starter: boolean; nth: number }
  | { kind: 'debit'; account: number; credits: number; beyond: boolean; nth: number }
  | { kind: 'ask'; account: number; task: number; credits: number; web: boolean; late: boolean }
  | { kind: 'conclude'; account: number; task: number; cause: Cause; due: number | undefined }

const account = fc.nat({ max: 2 })
const task = fc.nat({ max: 7 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('grant' as const),
    account,
    credits: fc.integer({ min: 1, max: 60 }),
    starter: fc.boolean(),
    nth: fc.nat({ max: 3 }),
  }),
  fc.record({
    kind: fc.constant('debit' as const),
    account,
    credits: fc.integer({ min: 1, max: 60 }),
    beyond: fc.boolean(),
    nth: fc.nat({ max: 3 }),
  }),
  fc.record({
    kind: fc.constant('ask' as const),
    account,
    task,
    credits: fc.integer({ min: 1, max: 50 }),
    web: fc.boolean(),
    late: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('conclude' as const),
    account,
    task,
    cause: fc.constantFrom<Cause[]>('uncertain', 'completed', 'refused', 'failed'),
    due: fc.option(fc.integer({ min: -2, max: 52 }), { nil: undefined }),
  }),
)

/** Steps to instructions whose ids are this run's own; the same step is the same event delivered again. */
function toInstruction(run: string, one: Step): Instruction {
  const accountId = `${run}-a${one.account}`
  const taskId = `${run}-a${one.account}-t${'task' in one ? one.task : 0}`
  if (one.kind === 'grant') {
    const balance = one.starter ? 'starter' : 'paid'
    return grant(accountId, one.credits, balance, `${accountId}-${balance}-${one.nth}`)
  }
  if (one.kind === 'debit') return (one.beyond ? debitBeyond : debitPaid)(accountId, one.credits, `${accountId}-debit-${one.nth}`)
  if (one.kind === 'conclude') return conclude(one.cause, { accountId, taskId }, one.cause === 'completed' ? one.due : undefined)
  const surface = one.web ? 'web' : 'api'
  return ask(accountId, one.credits, { taskId, surface, admitByMs: books.clock.nowMs + (one.late ? -1 : 1_000) })
}

const debitPaid = (accountId: string, credits: number, id: string) => debit(accountId, credits, 'paid', id)

/** What the balances must be, less what is owed, computed from the changes and reservations alone. */
const expectedBalances = (run: string) => books.sql`
  select account.id, account.available - account.owed as available, account.starter, account.owed,
    coalesce((select sum(case kind when 'grant' then credits else -credits end) from credit_grant
              where account_id = account.id and balance = 'paid' and applied), 0)::bigint
      - coalesce((select sum(paid - least(refunded, paid)) from reservation where account_id = account.id), 0)::bigint as "availableExpected",
    coalesce((select sum(credits) from credit_grant where account_id = account.id and balance = 'starter'), 0)::bigint
      - coalesce((select sum(starter - greatest(refunded - paid, 0)) from reservation where account_id = account.id), 0)::bigint as "starterExpected"
  from account where account.id like ${`${run}-%`}`

/** Of each task that has ended, what was held and what its entries say was charged and returned. */
const ends = (run: string) => books.sql<{ held: number; refunded: number; charged: number; returned: number }[]>`
  select paid + starter as held, refunded,
    coalesce((select sum(credits) from entry where source_id = task_id and book = 'revenue'), 0)::bigint as charged,
    (select sum(credits) from entry where source_id = task_id and kind in ('settle', 'refund') and book in ('customer_paid', 'customer_starter'))::bigint as returned
  from reservation where account_id like ${`${run}-%`} and state in ('settled', 'refunded')`

/** As the bus does: posts the batch again when another replica opened one of its accounts meanwhile. Nothing else may fail. */
async function postWithRetries(instructions: Instruction[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await post(books.deps, instructions))
    } catch (error) {
      if (!(error instanceof Error && error.message.endsWith('was opened meanwhile')) || !isTransient(error) || tries > 5) throw error
    }
  }
}

test('whatever comes, however often, in whatever batches and on two replicas at once: granted = available + held + settled + debited - owed', async () => {
  const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(batches, fc.boolean(), async (batches, together) => {
      const run = newId('run')
      const posts = batches.map(batch => () => postWithRetries(batch.map(one => toInstruction(run, one))))
      if (together) await Promise.all([...posts, () => sweepRefunds(books.deps), ...posts].map(start => start()))
      else for (const start of [...posts, ...posts.slice(0, 2)]) await start()
      await sweepRefunds(books.deps)
      for (const row of await expectedBalances(run))
        expect({ available: row.available, starter: row.starter }).toEqual({
          available: row.availableExpected,
          starter: row.starterExpected,
        })
      for (const { held, refunded, charged, returned } of await ends(run))
        expect([charged + refunded, returned ?? 0, charged >= 0]).toEqual([held, refunded, true])
      expect((await books.findings()).filter(({ check }) => check !== 'verdict_contradicts')).toEqual([])
    }),
    { numRuns: 60, endOnFailure: true },
  )
}, 120_000)

test('what a debit beyond the balance leaves is repaid by paid grants alone, each credit once, however they arrive', async () => {
  const accountId = newId('acct')
  await books.post(grant(accountId, 60), grant(accountId, 50, 'starter'))
  const taken = debitBeyond(accountId, 100)
  await Promise.all([books.post(taken), books.post(taken, taken)])
  expect(await books.balance(accountId)).toMatchObject({ available: 0, starter: 50, owed: 40 })
  await Promise.all(Array.from({ length: 50 }, () => books.post(grant(accountId, 1))))
  await books.post(grant(accountId, 7, 'starter'))
  expect(await books.balance(accountId)).toMatchObject({ available: 10, starter: 57, owed: 0 })
  expect(books.events(accountId).find(event => event.case === 'creditsChangeDecided' && event.value.beyondBalance)).toMatchObject({
    value: { changeId: taken.change.id, applied: true, credits: 100n, owed: 40n, available: 0n },
  })
  expect(books.events(accountId).findLast(event => event.case === 'balanceChanged')).toMatchObject({ value: { available: 10n, owed: 0n } })
  const entries = await books.sql`select book, credits from entry where source_id = ${taken.change.id} order by book`
  expect(entries.map(({ book, credits }) => [book, credits])).toEqual([
    ['customer_paid', -60],
    ['issued', 100],
    ['owed', -40],
  ])
})

test('a refund returns to its balance although something is owed, and an ordinary debit is refused as ever', async () => {
  const accountId = newId('acct')
  const request = ask(accountId, 30)
  await books.post(grant(accountId, 30), request, debitBeyond(accountId, 20))
  expect(await books.balance(accountId)).toMatchObject({ available: 0, owed: 20 })
  await books.post(conclude('refused', request))
  await completeRefunds(books.deps, [request])
  expect(await books.balance(accountId)).toMatchObject({ available: 30, owed: 20 })
  await books.post(debit(accountId, 31))
  expect(await books.balance(accountId)).toMatchObject({ available: 30, owed: 20 })
  expect((await books.findings()).filter(({ check }) => check !== 'verdict_contradicts')).toEqual([])
})

test('a batch that cannot be written leaves nothing behind: no row, no entry, no event', async () => {
  const [whole, broken] = [newId('acct'), newId('acct')]
  const request = ask(whole, 5)
  await books.post(grant(whole, 100), grant(broken, Number.MAX_SAFE_INTEGER))
  await expect(books.post(request, grant(broken, 1))).rejects.toThrow('account_available_check')
  expect(await books.balance(whole)).toMatchObject({ available: 100, unfinished: 0 })
  expect(books.events(whole).map(event => event.case)).toEqual(['creditsChangeDecided', 'balanceChanged'])
  await books.post(request)
  expect(await books.balance(whole)).toMatchObject({ available: 95, unfinished: 1 })
})

test('one account balance is told once a batch, with the trace that changed it last', async () => {
  const accountId = newId('acct')
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await books.post(grant(accountId, 1), grant(accountId, 2, 'starter'), { ...grant(accountId, 4), traceparent })
  expect(books.events(accountId).filter(event => event.case === 'balanceChanged')).toMatchObject([
    { value: { available: 5n, starter: 2n, balanceVersion: 3n } },
  ])
  expect(books.published.findLast(({ key }) => key === accountId)?.headers).toEqual({ traceparent })
})

test('a hundred refunds of one account at once return each credit once', async () => {
  const accountId = newId('acct')
  const many = { ...books.deps, unfinishedTasksMax: 100 }
  const requests = Array.from({ length: 100 }, () => ask(accountId, 3))
  await post(many, [grant(accountId, 300), ...requests])
  expect((await books.balance(accountId))?.available).toBe(0)
  const tasks = requests.map(({ taskId }) => ({ taskId, accountId }))
  await post(
    many,
    tasks.map(one => conclude('refused', one)),
  )
  await Promise.all([completeRefunds(many, tasks), completeRefunds(many, tasks.toReversed()), sweepRefunds(many)])
  expect(await books.balance(accountId)).toMatchObject({ available: 300, unfinished: 0 })
})

test('two hundred changes of one account at once over two replicas: its entries have an order in which the balance adds up and time never goes back', async () => {
  const accountId = newId('acct')
  const { clock: _, ...ofDatabase } = books.deps
  const replicas = [0, 1].map(() => ({ ...ofDatabase, unfinishedTasksMax: 1_000 }))
  await post(ofDatabase, [grant(accountId, 1_000)])
  const asked = Array.from({ length: 100 }, () => ask(accountId, 3))
  await Promise.all([
    ...asked.map((request, nth) => post(replicas[nth % 2] ?? ofDatabase, [request])),
    ...Array.from({ length: 50 }, (_, nth) => post(replicas[nth % 2] ?? ofDatabase, [grant(accountId, 7)])),
    ...Array.from({ length: 50 }, (_, nth) => post(replicas[nth % 2] ?? ofDatabase, [debit(accountId, 2)])),
  ])
  await Promise.all(asked.slice(0, 50).map(request => post(ofDatabase, [conclude('refused', request)])))
  await Promise.all(asked.slice(0, 50).map(request => completeRefunds(books.deps, [request])))
  const rows = await books.sql<{ credits: number; version: number; at: Date }[]>`
    select credits, balance_version as version, at from entry where account_id = ${accountId} and book = 'customer_paid' order by at, balance_version`
  expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 251 }, (_, nth) => nth + 1))
  const eventByVersion = new Map(
    books
      .events(accountId)
      .flatMap(({ value }) => (value && 'balanceVersion' in value && 'available' in value ? [[Number(value.balanceVersion), value]] : [])),
  )
  let balance = 0
  for (const { credits, version, at } of rows) {
    balance += credits
    const event = eventByVersion.get(version)
    expect(Number(event?.available)).toBe(balance)
    expect(Number(event?.at?.seconds) * 1_000 + Number(event?.at?.nanos) / 1e6).toBe(at.getTime())
  }
  expect((await books.balance(accountId))?.available).toBe(balance)
})
