import { afterAll, beforeAll, expect, test } from 'bun:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Conclude, Reserve } from '../books/instruction'
import { countsAt, reviewCountsMsMax } from '../books/reservation'
import { findReservations } from '../database/reservation-repository'
import { completeRefunds } from '../posting/complete-refunds'
import { post } from '../posting/post'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'

const minute = 60_000
let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

const uncertain = (task: Reserve, runsForMs: number): Conclude => ({
  ...conclude('uncertain', task),
  mayRunUntilMs: books.clock.nowMs + runsForMs,
})

/** An account of 1,000 credits with three tasks of 10, whose answers were lost; they may run for so long. */
async function threeReviews(runForMs: number[]): Promise<{ account: string; tasks: Reserve[] }> {
  const account = newId('acct')
  const tasks = runForMs.map(() => ask(account, 10))
  await books.post(grant(account, 1_000), ...tasks)
  await books.post(...tasks.map((task, nth) => uncertain(task, runForMs[nth] ?? 0)))
  return { account, tasks }
}

const decisions = (accountId: string) =>
  books.events(accountId).flatMap(({ case: name }) => (name === 'creditsReserved' || name === 'creditsDeclined' ? [name] : []))

test.each([
  ['reserved', null, 0, true],
  ['review', 1_000, 999, true],
  ['review', 1_000, 1_000, false],
  ['review', null, 9e12, true],
  ['refund_pending', null, 9e12, true],
  ['refund_pending', 1_000, 1_000, false],
  ['settled', null, 0, false],
  ['refunded', 1_000, 0, false],
] as const)('a task that is %s and counts until %p, at %p: %p', (state, countsUntilMs, nowMs, counts) => {
  expect(countsAt(nowMs, { state, countsUntilMs })).toBe(counts)
})

test('three reviews refuse a fourth until their generations can’t run any more; what they hold stays held', async () => {
  const { account, tasks } = await threeReviews([2 * minute, minute, 2 * minute])
  const startMs = books.clock.nowMs
  await books.post(ask(account, 10))
  expect(decisions(account).at(-1)).toBe('creditsDeclined')
  books.clock.nowMs = startMs + minute
  await books.post(ask(account, 10), ask(account, 10))
  expect(decisions(account).slice(-2)).toEqual(['creditsReserved', 'creditsDeclined'])
  books.clock.nowMs = startMs + 2 * minute
  await books.post(ask(account, 10), ask(account, 10), ask(account, 10))
  expect(decisions(account).slice(-3)).toEqual(['creditsReserved', 'creditsReserved', 'creditsDeclined'])
  expect(await books.balance(account)).toMatchObject({ available: 1_000 - 60, unfinished: 6 })
  const held = await findReservations(
    books.sql,
    tasks.map(({ taskId }) => taskId),
  )
  expect([...held.values()].map(({ state, paid, refunded }) => ({ state, paid, refunded }))).toEqual(
    tasks.map(() => ({ state: 'review' as const, paid: 10, refunded: 0 })),
  )
  expect(await books.findings()).toEqual([])
})

test('a refusal names what counts and until when, and is published again as it was', async () => {
  const { account, tasks } = await threeReviews([2 * minute, minute])
  const startMs = books.clock.nowMs
  const [running, refused] = [ask(account, 10), ask(account, 10)]
  await books.post(running, refused)
  books.clock.nowMs = startMs + 5 * minute
  await books.post(refused)
  const told = books.events(account).flatMap(event => (event.case === 'creditsDeclined' ? [event.value] : []))
  const named = told.map(({ unfinished }) =>
    unfinished.map(one => [one.taskId, one.billingStatus, one.countsUntil && timestampMs(one.countsUntil) - startMs]),
  )
  const expected = [
    [tasks[1]?.taskId, 'review', minute],
    [tasks[0]?.taskId, 'review', 2 * minute],
    [running.taskId, 'reserved', undefined],
  ]
  expect(named).toEqual([expected, expected])
})

test('a review past its bound ends either way, once, and drives no count wrong', async () => {
  const { account, tasks } = await threeReviews([minute, minute, minute])
  books.clock.nowMs += minute
  const later = [ask(account, 10), ask(account, 10), ask(account, 10)]
  await books.post(...later)
  const [settled, refunded, rest] = tasks as [Reserve, Reserve, Reserve]
  const ends = [conclude('completed', settled), conclude('refused', refunded)]
  await books.post(...ends)
  await completeRefunds(books.deps, [refunded])
  await books.post(...ends, uncertain(rest, 9 * minute))
  expect(await books.balance(account)).toMatchObject({ available: 1_000 - 50, unfinished: 4 })
  await books.post(ask(account, 10))
  expect(decisions(account).slice(-4)).toEqual(['creditsReserved', 'creditsReserved', 'creditsReserved', 'creditsDeclined'])
  await books.post(conclude('completed', later[0] as Reserve), ask(account, 10), ask(account, 10))
  expect(decisions(account).slice(-2)).toEqual(['creditsReserved', 'creditsDeclined'])
  expect(await books.findings()).toEqual([])
})

test('two requests at the bound, at two replicas at once, take the one place that is free', async () => {
  const { account } = await threeReviews([minute, 9 * minute, 9 * minute])
  books.clock.nowMs += minute
  const asked = Array.from({ length: 8 }, () => ask(account, 10))
  await Promise.all(asked.map(request => post({ ...books.deps }, [request])))
  expect(decisions(account).slice(-8).toSorted()).toEqual([...Array<'creditsDeclined'>(7).fill('creditsDeclined'), 'creditsReserved'])
  expect(await books.balance(account)).toMatchObject({ available: 1_000 - 40, unfinished: 4 })
})

test('a review without a bound, or with one too long, counts for an hour; one of a version before from its beginning', async () => {
  const { account, tasks } = await threeReviews([100 * reviewCountsMsMax])
  const other = ask(account, 10)
  await books.post(other, conclude('uncertain', other))
  const third = ask(account, 10)
  await books.post(third, uncertain(third, minute))
  const untils = async () =>
    [
      ...(
        await findReservations(
          books.sql,
          [...tasks, other].map(({ taskId }) => taskId),
        )
      ).values(),
    ].map(one => one.countsUntilMs)
  expect(await untils()).toEqual([1, 1].map(() => books.clock.nowMs + reviewCountsMsMax))
  await books.sql`alter table reservation disable trigger reservation_forward_only`
  await books.sql`update reservation set counts_until = null where account_id = ${account}`
  await books.sql`alter table reservation enable trigger reservation_forward_only`
  expect(await untils()).toEqual([1, 1].map(() => books.clock.nowMs + reviewCountsMsMax))
  books.clock.nowMs += reviewCountsMsMax - 1
  await books.post(ask(account, 10))
  books.clock.nowMs += 1
  await books.post(ask(account, 10))
  expect(decisions(account).slice(-2)).toEqual(['creditsDeclined', 'creditsReserved'])
})
