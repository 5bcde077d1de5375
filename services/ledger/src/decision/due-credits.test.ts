import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Surface } from '../books/reservation'
import { findContradictions } from '../database/contradiction-repository'
import { findEntries } from '../database/entry-repository'
import { findReservation } from '../database/reservation-repository'
import { completeRefunds, sweepRefunds } from '../posting/complete-refunds'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

/** A funded account with one reservation of 60: 40 starter and 20 paid credits on the web, 60 paid ones of the API. */
async function reserved(surface: Surface = 'api') {
  const accountId = newId('acct')
  const request = ask(accountId, 60, { surface })
  await books.post(grant(accountId, 100), grant(accountId, 40, 'starter'), request)
  return request
}

const settlementOf = async (taskId: string) =>
  (await findEntries(books.sql, taskId)).filter(({ kind }) => kind !== 'reserve').map(({ kind, book, credits }) => [kind, book, credits])
const endOf = async (taskId: string) => {
  const found = await findReservation(books.sql, taskId)
  return found && [found.state, found.refunded]
}
const eventsOf = (accountId: string) => books.events(accountId)
const findingsOf = async (taskId: string) => (await findContradictions(books.sql, taskId)).map(({ verdict, detail }) => [verdict, detail])
const acknowledgeAll = () => books.sql`update contradiction set acknowledged_at = now(), acknowledged_reason = 'a test'`

test('a completion that is due less settles that, and the rest returns in the same posting', async () => {
  const task = await reserved()
  await books.post(conclude('completed', task, 36))
  expect(await endOf(task.taskId)).toEqual(['settled', 24])
  expect(await settlementOf(task.taskId)).toEqual([
    ['settle', 'customer_paid', 24],
    ['settle', 'reserved', -60],
    ['settle', 'revenue', 36],
  ])
  expect(await books.balance(task.accountId)).toMatchObject({ available: 64, starter: 40, unfinished: 0, balanceVersion: 4 })
  expect(eventsOf(task.accountId).slice(-2)).toMatchObject([
    {
      case: 'creditsSettled',
      value: { taskId: task.taskId, credits: 36n, refunded: 24n, refundedStarter: 0n, available: 64n, balanceVersion: 4n },
    },
    { case: 'balanceChanged', value: { available: 64n, starter: 40n, balanceVersion: 4n } },
  ])
})

test('a part that returns reverses the order of spending: paid credits first, then starter credits', async () => {
  const [little, much] = [await reserved('web'), await reserved('web')]
  await books.post(conclude('completed', little, 45), conclude('completed', much, 25))
  expect(await books.balance(little.accountId)).toMatchObject({ available: 95, starter: 0 })
  expect(await books.balance(much.accountId)).toMatchObject({ available: 100, starter: 15 })
  expect(await settlementOf(much.taskId)).toEqual([
    ['settle', 'customer_paid', 20],
    ['settle', 'customer_starter', 15],
    ['settle', 'reserved', -60],
    ['settle', 'revenue', 25],
  ])
  const settled = eventsOf(much.accountId).find(event => event.case === 'creditsSettled')
  expect(settled?.value).toMatchObject({ credits: 25n, refunded: 35n, refundedStarter: 15n })
})

test('a completion that is due the whole reservation, or names no price, returns nothing', async () => {
  for (const due of [60, undefined]) {
    const task = await reserved()
    await books.post(conclude('completed', task, due))
    expect(await endOf(task.taskId)).toEqual(['settled', 0])
    expect(eventsOf(task.accountId).at(-1)).toMatchObject({
      case: 'creditsSettled',
      value: { credits: 60n, refunded: 0n, balanceVersion: 0n },
    })
    expect(await findingsOf(task.taskId)).toEqual([])
  }
})

test.each([
  [0, 60],
  [-5, 60],
  [61, 0],
  [Number.MAX_SAFE_INTEGER, 0],
])('a price out of bounds (%d of 60) is clamped, %d return, and it is a finding', async (due, refunded) => {
  const task = await reserved()
  await books.post(conclude('completed', task, due))
  expect(await endOf(task.taskId)).toEqual(['settled', refunded])
  expect((await books.balance(task.accountId))?.available).toBe(40 + refunded)
  expect(await findingsOf(task.taskId)).toEqual([['wrong_due_credits', `completed with ${due} credits due of 60 reserved`]])
  expect(await books.findings()).toEqual([
    { check: 'verdict_contradicts', detail: `${task.taskId} was completed with ${due} credits due of 60 reserved` },
  ])
  await acknowledgeAll()
  await books.post(conclude('completed', task, due))
  expect(await books.findings()).toEqual([])
})

test('the first price stands: the same one again returns nothing more, another one is a finding, on two replicas at once too', async () => {
  const task = await reserved()
  const completed = conclude('completed', task, 36)
  await Promise.all([books.post(completed, completed), books.post(completed)])
  await books.post(completed)
  expect(await findingsOf(task.taskId)).toEqual([])
  await books.post(conclude('completed', task, 50), conclude('completed', task))
  expect(await endOf(task.taskId)).toEqual(['settled', 24])
  expect(await books.balance(task.accountId)).toMatchObject({ available: 64, unfinished: 0, balanceVersion: 4 })
  expect(await findingsOf(task.taskId)).toEqual([['wrong_due_credits', 'completed again with 50 credits due, after 36 of 60 were charged']])
  await acknowledgeAll()
})

test('a failure after a settlement in part moves nothing and is a finding, and so is a part after a refund', async () => {
  const [settled, refunded] = [await reserved(), await reserved()]
  await books.post(conclude('completed', settled, 36), conclude('failed', settled), conclude('failed', refunded))
  await completeRefunds(books.deps, [settled, refunded])
  await sweepRefunds(books.deps)
  await books.post(conclude('completed', refunded, 36))
  expect([await endOf(settled.taskId), await endOf(refunded.taskId)]).toEqual([
    ['settled', 24],
    ['refunded', 60],
  ])
  expect([await findingsOf(settled.taskId), await findingsOf(refunded.taskId)]).toEqual([[['refused', null]], [['completed', null]]])
  expect((await books.balance(settled.accountId))?.available).toBe(64)
  expect((await books.balance(refunded.accountId))?.available).toBe(100)
  await acknowledgeAll()
})

test('a review ends with a part as well', async () => {
  const task = await reserved('web')
  await books.post(conclude('uncertain', task), conclude('completed', task, 1))
  expect(await endOf(task.taskId)).toEqual(['settled', 59])
  expect(await books.balance(task.accountId)).toMatchObject({ available: 100, starter: 39, unfinished: 0 })
})

test('a settlement in part is published again with what it charged, returned and left, whatever the account did since', async () => {
  const task = await reserved('web')
  await books.post(conclude('completed', task, 25))
  const [first] = eventsOf(task.accountId).filter(event => event.case === 'creditsSettled')
  books.clock.nowMs += 3_600_000
  await books.post(grant(task.accountId, 500))
  const known = eventsOf(task.accountId).length
  await books.post(conclude('completed', task, 25))
  await books.post(task)
  const again = eventsOf(task.accountId).slice(known)
  expect(again.filter(event => event.case === 'creditsSettled')).toEqual(first ? [first, first] : [])
  expect(again.filter(event => event.case === 'balanceChanged')).toMatchObject([
    { value: { available: 600n, starter: 15n } },
    { value: { available: 600n, starter: 15n } },
  ])
})

test('the database refuses more returned than was held, and a part before the settlement', async () => {
  const [open, settled] = [await reserved(), await reserved()]
  await books.post(conclude('completed', settled, 36))
  const change = (taskId: string, set: string) => books.sql.unsafe(`update reservation set ${set} where task_id = '${taskId}'`).execute()
  const end = `state = 'settled', ended_at = now()`
  await expect(change(open.taskId, `${end}, refunded = 61`)).rejects.toThrow('reservation_')
  await expect(change(open.taskId, `${end}, refunded = -1`)).rejects.toThrow('reservation_')
  await expect(change(open.taskId, `state = 'review', refunded = 1`)).rejects.toThrow('reservation_refunded')
  await expect(change(settled.taskId, 'refunded = 25')).rejects.toThrow('may not move from settled to settled')
})

test('after all of this the auditor finds nothing', async () => {
  expect(await books.findings()).toEqual([])
})
