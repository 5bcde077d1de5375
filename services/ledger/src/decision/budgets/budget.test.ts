import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { BudgetPeriod, DeclineReason } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { BudgetScope } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { Reserve } from '../../books/instruction'
import { completeRefunds } from '../../posting/complete-refunds'
import { post } from '../../posting/post'
import { ask, budget, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../../testing/ledger-books'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks({ unfinishedTasksMax: 1_000 })
})
afterAll(() => books.close())
beforeEach(() => setTime('2026-11-26T12:00:00Z'))

const setTime = (moment: string) => {
  books.clock.nowMs = Date.parse(moment)
}

async function newAccount(paid = 10_000): Promise<string> {
  const id = newId('acct')
  await books.post(grant(id, paid))
  return id
}

/** What became of each request of an account, in order. */
const outcomes = (accountId: string) =>
  books
    .events(accountId)
    .filter(event => event.case === 'creditsReserved' || event.case === 'creditsDeclined')
    .map(event => (event.case === 'creditsDeclined' ? DeclineReason[event.value.reason] : 'reserved'))

const lastRefusal = (accountId: string) => {
  const event = books.events(accountId).findLast(({ case: name }) => name === 'creditsDeclined')
  const exceeded = event?.case === 'creditsDeclined' ? event.value.exceeded : undefined
  if (!exceeded) return undefined
  const { scope, period, left, resetsAt } = exceeded
  return [BudgetScope[scope], BudgetPeriod[period], Number(left), resetsAt ? new Date(timestampMs(resetsAt)).toISOString() : null]
}

const spent = async (accountId: string) =>
  Object.fromEntries(
    (await books.sql`select scope, period, spent from budget_spend where account_id = ${accountId} order by 1, 2`).map(row => [
      `${row.scope} ${row.period}`,
      row.spent,
    ]),
  )

/** Time moves here by months, so that reservations are found to be forgotten. */
const moneyFindings = async () => (await books.findings()).filter(({ check }) => !['reservation_forgotten', 'event_stuck'].includes(check))

async function refund(task: Reserve) {
  await books.post(conclude('refused', task))
  await completeRefunds(books.deps, [task])
}

test.each([
  ['key', { keyId: 'k1' }, { keyId: 'k2' }],
  ['member', { memberId: 'p1', surface: 'web' }, { memberId: 'p2', surface: 'web' }],
] as const)('a cap of a %s holds for it to the credit, and for no other', async (scope, own, other) => {
  const account = await newAccount()
  const { keyId, memberId } = { keyId: undefined, memberId: undefined, ...own }
  await books.post(budget(account, { total: 100 }, { version: 1, ...(keyId && { keyId }), ...(memberId && { memberId }) }))
  await books.post(ask(account, 60, own), ask(account, 41, own), ask(account, 40, own), ask(account, 1, own), ask(account, 500, other))
  expect(outcomes(account)).toEqual(['reserved', 'BUDGET_EXCEEDED', 'reserved', 'BUDGET_EXCEEDED', 'reserved'])
  expect(lastRefusal(account)).toEqual([scope.toUpperCase(), 'TOTAL', 0, null])
  expect(await moneyFindings()).toEqual([])
})

test('a refusal names the budget that comes back last, with what it has left and when', async () => {
  const account = await newAccount()
  await books.post(budget(account, { day: 100, month: 150 }, { version: 1, timeZone: 'Europe/Berlin' }))
  await books.post(budget(account, { day: 120 }, { version: 2, timeZone: 'Europe/Berlin', keyId: 'k1' }))
  await books.post(ask(account, 90, { keyId: 'k1' }), ask(account, 20, { keyId: 'k1' }))
  expect(lastRefusal(account)).toEqual(['ACCOUNT', 'DAY', 10, '2026-11-26T23:00:00.000Z'])
  await books.post(ask(account, 31, { keyId: 'k1' }))
  expect(lastRefusal(account)).toEqual(['ACCOUNT', 'DAY', 10, '2026-11-26T23:00:00.000Z'])
  await books.post(ask(account, 61, { keyId: 'k1' }))
  expect(lastRefusal(account)).toEqual(['ACCOUNT', 'MONTH', 60, '2026-11-30T23:00:00.000Z'])
})

test('a budget is told before a balance that is too low, and after the limit of unfinished tasks', async () => {
  const account = await newAccount(50)
  await books.post(budget(account, { total: 40 }, { version: 1 }), ask(account, 60))
  expect(outcomes(account)).toEqual(['BUDGET_EXCEEDED'])
})

/** Ten minutes around the end of a day and of a month, in zones whose clocks change. */
test.each([
  ['UTC', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
  ['America/New_York', '2026-10-31T03:59:59.999Z', '2026-10-31T04:00:00.000Z'],
  ['America/New_York', '2026-12-01T04:59:59.999Z', '2026-12-01T05:00:00.000Z'],
  ['Europe/Berlin', '2026-03-31T21:59:59.999Z', '2026-03-31T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-31T22:59:59.999Z', '2026-10-31T23:00:00.000Z'],
  ['America/Havana', '2026-11-01T03:59:59.999Z', '2026-11-01T04:00:00.000Z'],
])('in %s a day’s cap is whole again at its midnight and not a millisecond before (%s)', async (timeZone, before, after) => {
  const account = await newAccount()
  setTime(before)
  await books.post(budget(account, { day: 10 }, { version: 1, timeZone }), ask(account, 10), ask(account, 1))
  expect(lastRefusal(account)?.[3]).toBe(after)
  setTime(after)
  await books.post(ask(account, 10), ask(account, 1))
  expect(outcomes(account)).toEqual(['reserved', 'BUDGET_EXCEEDED', 'reserved', 'BUDGET_EXCEEDED'])
})

test('a day of 25 hours has one cap from its first to its last minute', async () => {
  const account = await newAccount()
  setTime('2026-10-24T22:00:00Z')
  await books.post(budget(account, { day: 10 }, { version: 1, timeZone: 'Europe/Berlin' }), ask(account, 10))
  setTime('2026-10-25T22:59:59Z')
  await books.post(ask(account, 1))
  setTime('2026-10-25T23:00:00Z')
  await books.post(ask(account, 10))
  expect(outcomes(account)).toEqual(['reserved', 'BUDGET_EXCEEDED', 'reserved'])
})

test('a refund of last month’s task lowers last month, and gives this one no room', async () => {
  const account = await newAccount()
  setTime('2026-10-31T22:00:00Z')
  const october = ask(account, 70, { keyId: 'k1' })
  await books.post(budget(account, { month: 100, total: 1_000 }, { version: 1, timeZone: 'Europe/Berlin', keyId: 'k1' }), october)
  setTime('2026-10-31T23:00:00Z')
  await books.post(ask(account, 100, { keyId: 'k1' }))
  await refund(october)
  await books.post(ask(account, 1, { keyId: 'k1' }))
  expect(outcomes(account)).toEqual(['reserved', 'reserved', 'BUDGET_EXCEEDED'])
  expect(await spent(account)).toMatchObject({ 'key 2026-10': 0, 'key 2026-10-31': 0, 'key 2026-11': 100, 'key total': 100 })
  expect(await moneyFindings()).toEqual([])
})

test('what a settlement returns makes room in its own period', async () => {
  const account = await newAccount()
  const task = ask(account, 100)
  await books.post(budget(account, { day: 100 }, { version: 1 }), task)
  await books.post(conclude('completed', task, 60), ask(account, 41), ask(account, 40))
  expect(outcomes(account)).toEqual(['reserved', 'BUDGET_EXCEEDED', 'reserved'])
  expect(await moneyFindings()).toEqual([])
})

test('a budget below its spend refuses what is new and changes nothing else', async () => {
  const account = await newAccount()
  const task = ask(account, 80)
  await books.post(budget(account, { total: 100 }, { version: 1 }), task)
  const before = await books.balance(account)
  await books.post(budget(account, { total: 50 }, { version: 2 }), ask(account, 1))
  expect(await books.balance(account)).toEqual(before)
  await books.post(conclude('completed', task), budget(account, { total: 90 }, { version: 3 }), ask(account, 10))
  expect(outcomes(account)).toEqual(['reserved', 'BUDGET_EXCEEDED', 'reserved'])
})

test('an older message never overwrites a newer one, nor does it bring back a budget that was cleared', async () => {
  const account = await newAccount()
  const [small, none] = [budget(account, { total: 5 }, { version: 1, timeZone: 'Asia/Tokyo' }), budget(account, {}, { version: 2 })]
  await books.post(none)
  await books.post(small, ask(account, 10))
  await books.post(small, none, small)
  await books.post(ask(account, 10))
  expect(outcomes(account)).toEqual(['reserved', 'reserved'])
  expect([...(await books.sql`select time_zone, budget_version from account where id = ${account}`)]).toEqual([
    { time_zone: 'UTC', budget_version: 2 },
  ])
})

test('a request that is delivered again is counted once, and its refusal is published as it was', async () => {
  const account = await newAccount()
  const [held, refused] = [ask(account, 60), ask(account, 60)]
  await books.post(budget(account, { total: 100 }, { version: 1 }), held, held, refused)
  const first = lastRefusal(account)
  await books.post(budget(account, { total: 1_000 }, { version: 2 }))
  await books.post(held, refused)
  expect(outcomes(account)).toEqual(['reserved', 'BUDGET_EXCEEDED', 'reserved', 'BUDGET_EXCEEDED'])
  expect(lastRefusal(account)).toEqual(first)
  expect(await spent(account)).toMatchObject({ 'account total': 60 })
})

test('once an account has a budget, what its other keys spend is counted too: a later cap finds it', async () => {
  const account = await newAccount()
  await books.post(ask(account, 1_000, { keyId: 'k1' }), budget(account, { month: 500 }, { version: 1 }), ask(account, 70, { keyId: 'k1' }))
  await books.post(budget(account, { month: 100 }, { version: 2, keyId: 'k1' }), ask(account, 31, { keyId: 'k1' }))
  expect(lastRefusal(account)).toEqual(['KEY', 'MONTH', 30, '2026-12-01T00:00:00.000Z'])
})

test('a time zone that changes within a batch decides by its own day from there on', async () => {
  const account = await newAccount()
  setTime('2026-11-26T20:00:00Z')
  await books.post(budget(account, { day: 10 }, { version: 1 }), ask(account, 10))
  await books.post(ask(account, 1), budget(account, { day: 10 }, { version: 2, timeZone: 'Asia/Tokyo' }), ask(account, 10), ask(account, 1))
  expect(outcomes(account)).toEqual(['reserved', 'BUDGET_EXCEEDED', 'reserved', 'BUDGET_EXCEEDED'])
  expect(await spent(account)).toEqual({
    ...{ 'account 2026-11': 20, 'account 2026-11-26': 10, 'account 2026-11-27': 10, 'account total': 20 },
  })
})

test('spend is told after each change of it, with the thresholds that a reservation crossed', async () => {
  const account = await newAccount()
  await books.post(budget(account, { total: 100, month: 1_000 }, { version: 7 }))
  const task = ask(account, 79)
  await books.post(task)
  await books.post(ask(account, 1))
  await books.post(ask(account, 20))
  await refund(task)
  const told = books.events(account).flatMap(event => (event.case === 'budgetSpent' ? [event.value] : []))
  expect(
    told.map(({ version, balanceVersion, totalSpent, day, daySpent, month, monthSpent, crossed }) => ({
      ...{ version: Number(version), balance: Number(balanceVersion), total: Number(totalSpent) },
      ...{ day: `${day} ${daySpent}`, month: `${month} ${monthSpent}` },
      crossed: crossed.map(one => `${BudgetPeriod[one.period]} ${one.percent} ${one.spent}/${one.cap}`),
    })),
  ).toEqual([
    { version: 7, balance: 1, total: 0, day: '2026-11-26 0', month: '2026-11 0', crossed: [] },
    { version: 7, balance: 2, total: 79, day: '2026-11-26 79', month: '2026-11 79', crossed: [] },
    { version: 7, balance: 3, total: 80, day: '2026-11-26 80', month: '2026-11 80', crossed: ['TOTAL 80 80/100'] },
    { version: 7, balance: 4, total: 100, day: '2026-11-26 100', month: '2026-11 100', crossed: ['TOTAL 100 100/100'] },
    { version: 7, balance: 5, total: 21, day: '2026-11-26 21', month: '2026-11 21', crossed: [] },
  ])
})

test('two hundred requests at once, over two replicas, never pass a cap by one credit', async () => {
  const account = await newAccount()
  const deps = { ...books.deps, unfinishedTasksMax: 1_000 }
  await books.post(budget(account, { month: 701 }, { version: 1 }), budget(account, { day: 101 }, { version: 2, keyId: 'k0' }))
  const requests = Array.from({ length: 200 }, (_, nth) => ask(account, 7, { keyId: `k${nth % 4}` }))
  await Promise.all(requests.map(request => post(deps, [request])))
  const rows = await books.sql<{ key: string; credits: number }[]>`
    select key_id as key, sum(entry.credits) as credits from entry join reservation on task_id = source_id
    where entry.account_id = ${account} and book = 'reserved' group by key_id`
  const byKey = Object.fromEntries(rows.map(({ key, credits }) => [key, Number(credits)]))
  expect(Object.values(byKey).reduce((sum, credits) => sum + credits, 0)).toBe(700)
  expect(byKey.k0).toBeLessThanOrEqual(98)
  expect(await moneyFindings()).toEqual([])
})

test('an account without a budget is counted nowhere and reads nothing more', async () => {
  const account = await newAccount()
  const task = ask(account, 10, { keyId: 'k1' })
  await books.post(task)
  await books.post(conclude('completed', task, 5))
  expect(await spent(account)).toEqual({})
  expect([...(await books.sql`select spend_day, key_id from reservation where account_id = ${account}`)]).toEqual([
    { spend_day: null, key_id: null },
  ])
})
