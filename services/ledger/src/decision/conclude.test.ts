import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Surface } from '../books/reservation'
import { acknowledgeContradictions, findContradictions } from '../database/contradiction-repository'
import { findEntries } from '../database/entry-repository'
import { findReservation } from '../database/reservation-repository'
import { completeRefunds, sweepRefunds } from '../posting/complete-refunds'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

/** A funded account with one reservation of 60. */
async function reserved(surface: Surface = 'api', starter = 0) {
  const accountId = newId('acct')
  const request = ask(accountId, 60, { surface })
  await books.post(grant(accountId, 100), ...(starter > 0 ? [grant(accountId, starter, 'starter')] : []), request)
  return { accountId, taskId: request.taskId }
}

const state = async (taskId: string) => (await findReservation(books.sql, taskId))?.state
const entries = async (taskId: string) =>
  (await findEntries(books.sql, taskId)).filter(({ kind }) => kind !== 'reserve').map(({ kind, book, credits }) => [kind, book, credits])
const eventsAfterReserving = (accountId: string) => {
  const cases = books.events(accountId).map(event => event.case)
  return cases.slice(cases.indexOf('creditsReserved') + 1)
}

test('a completed task settles once, however often it is heard, and each later delivery is told so', async () => {
  const task = await reserved()
  const completed = conclude('completed', task)
  await books.post(completed, completed)
  await Promise.all([books.post(completed), books.post(completed)])
  expect(await entries(task.taskId)).toEqual([
    ['settle', 'reserved', -60],
    ['settle', 'revenue', 60],
  ])
  expect(await books.balance(task.accountId)).toMatchObject({ available: 40, unfinished: 0 })
  expect(eventsAfterReserving(task.accountId)).toEqual(['balanceChanged', 'creditsSettled', 'creditsSettled', 'creditsSettled'])
})

test('a refused task is pending first and refunded once, by the batch and the sweep together', async () => {
  const task = await reserved()
  await books.post(conclude('refused', task))
  expect(await state(task.taskId)).toBe('refund_pending')
  expect(await books.balance(task.accountId)).toMatchObject({ available: 40, unfinished: 1 })
  await Promise.all([
    completeRefunds(books.deps, [task]),
    sweepRefunds(books.deps),
    sweepRefunds(books.deps),
    books.post(conclude('refused', task)),
  ])
  expect(await findReservation(books.sql, task.taskId)).toMatchObject({ state: 'refunded', refunded: 60 })
  expect(await entries(task.taskId)).toEqual([
    ['refund', 'customer_paid', 60],
    ['refund', 'reserved', -60],
  ])
  expect(await books.balance(task.accountId)).toEqual({
    id: task.accountId,
    available: 100,
    starter: 0,
    owed: 0,
    unfinished: 0,
    balanceVersion: 3,
  })
  const events: (string | undefined)[] = eventsAfterReserving(task.accountId)
  // The verdict delivered again came before or after the refund was posted, and the state of that moment was published again; a refund with the balance of now.
  const refundedTwice = events.filter(one => one === 'creditsRefunded').length === 2
  expect(events.filter(one => one === 'balanceChanged')).toHaveLength(refundedTwice ? 3 : 2)
  expect(events.filter(one => one !== 'balanceChanged').toSorted()).toEqual(
    [refundedTwice ? 'creditsRefunded' : 'refundPending', 'creditsRefunded', 'refundPending'].toSorted(),
  )
  expect(books.events(task.accountId).find(event => event.case === 'creditsRefunded')).toMatchObject({
    case: 'creditsRefunded',
    value: { credits: 60n, available: 100n, balanceVersion: 3n },
  })
})

test('a refund returns starter credits as starter credits', async () => {
  const task = await reserved('web', 50)
  await books.post(conclude('refused', task))
  await completeRefunds(books.deps, [task])
  expect(await books.balance(task.accountId)).toMatchObject({ available: 100, starter: 50, owed: 0, unfinished: 0 })
})

test('an uncertain task is in review, holds its credits and its place, and ends either way', async () => {
  const [settled, refunded] = [await reserved(), await reserved()]
  await books.post(conclude('uncertain', settled), conclude('uncertain', refunded), conclude('uncertain', settled))
  expect(await books.balance(settled.accountId)).toMatchObject({ available: 40, unfinished: 1 })
  expect(eventsAfterReserving(settled.accountId)).toEqual(['balanceChanged', 'reviewOpened'])
  await books.post(conclude('completed', settled), conclude('refused', refunded))
  await completeRefunds(books.deps, [refunded])
  expect([await state(settled.taskId), await state(refunded.taskId)]).toEqual(['settled', 'refunded'])
})

test('an uncertainty delivered again after the end changes nothing and is told the end', async () => {
  const task = await reserved()
  await books.post(conclude('uncertain', task), conclude('completed', task))
  await books.post(conclude('uncertain', task), conclude('completed', task))
  expect(await state(task.taskId)).toBe('settled')
  expect(eventsAfterReserving(task.accountId)).toEqual(['balanceChanged', 'reviewOpened', 'creditsSettled', 'creditsSettled'])
})

test('contradicting verdicts never double money: the first ends the task, the second is a finding until acknowledged', async () => {
  const [refunded, settled] = [await reserved(), await reserved()]
  await books.post(conclude('refused', refunded), conclude('completed', settled))
  await completeRefunds(books.deps, [refunded])
  await books.post(conclude('completed', refunded), conclude('refused', settled), conclude('completed', refunded))
  expect([await state(refunded.taskId), await state(settled.taskId)]).toEqual(['refunded', 'settled'])
  expect([(await books.balance(refunded.accountId))?.available, (await books.balance(settled.accountId))?.available]).toEqual([100, 40])
  const details = (await books.findings()).map(({ check, detail }) => `${check}: ${detail}`).sort()
  expect(details).toEqual(
    [
      `verdict_contradicts: ${refunded.taskId} was heard to be completed while its reservation of account ${refunded.accountId} was refunded`,
      `verdict_contradicts: ${settled.taskId} was heard to be refused while its reservation of account ${settled.accountId} was settled`,
    ].sort(),
  )
  await books.sql`update contradiction set acknowledged_at = now(), acknowledged_reason = 'a test'`
})

test('a verdict of a task without a reservation, or of another account, moves nothing and is a finding', async () => {
  const task = await reserved()
  const foreign = newId('acct')
  await books.post(
    conclude('completed', { accountId: foreign, taskId: task.taskId }),
    conclude('completed', { accountId: task.accountId, taskId: newId('vt') }),
  )
  expect(await state(task.taskId)).toBe('reserved')
  expect((await books.findings()).map(({ check }) => check)).toEqual(['verdict_contradicts', 'verdict_contradicts'])
  await books.sql`update contradiction set acknowledged_at = now(), acknowledged_reason = 'a test'`
})

test('an ended task makes room for the next in the same batch', async () => {
  const task = await reserved()
  await books.post(ask(task.accountId, 1), ask(task.accountId, 1))
  const [early, late] = [ask(task.accountId, 1), ask(task.accountId, 1)]
  await books.post(early, conclude('completed', task), late)
  expect([await state(early.taskId), await state(late.taskId)]).toEqual([undefined, 'reserved'])
})

test('after all of this the auditor finds nothing', async () => {
  expect(await books.findings()).toEqual([])
})

test('a contradiction that was acknowledged and comes again is a finding again, and both acknowledgements are kept', async () => {
  const again = await ledgerBooks()
  const request = ask(newId('acct'), 60)
  const contradict = () => again.post(conclude('refused', request), conclude('refused', request))
  await again.post(grant(request.accountId, 100), request, conclude('completed', request))
  for (const reason of ['first', 'second']) {
    await contradict()
    await contradict()
    expect(await again.findings()).toMatchObject([{ check: 'verdict_contradicts' }])
    expect(await acknowledgeContradictions(again.sql, request.taskId, { reason, by: 'ada' })).toBe(1)
    expect(await again.findings()).toEqual([])
    again.clock.nowMs += 60_000
  }
  await contradict()
  expect(await again.findings()).toMatchObject([{ check: 'verdict_contradicts' }])
  expect(await findContradictions(again.sql, request.taskId)).toMatchObject([
    {
      times: 10,
      acknowledgedAt: null,
      acknowledgedBy: null,
      acknowledgements: [
        { reason: 'first', by: 'ada' },
        { reason: 'second', by: 'ada' },
      ],
    },
  ])
  await again.close()
})
