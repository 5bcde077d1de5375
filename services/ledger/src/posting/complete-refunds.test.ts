import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { completeRefunds, sweepRefunds } from './complete-refunds'
import { handleEvents } from './handle-events'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

const balanceMax = Number.MAX_SAFE_INTEGER

/** A pending refund that no transaction can post: meanwhile its account was given all that a balance can hold. */
async function poison() {
  const request = ask(newId('acct'), 10)
  await books.post(grant(request.accountId, 10), request, conclude('refused', request), grant(request.accountId, balanceMax))
  return request
}

async function sound() {
  const request = ask(newId('acct'), 10)
  await books.post(grant(request.accountId, 10), request, conclude('refused', request))
  return request
}

const available = async ({ accountId }: { accountId: string }) => (await books.balance(accountId))?.available

test('a refund that cannot be posted stays pending and blocks no other, whoever completes them', async () => {
  const bad = await poison()
  const good = await Promise.all(Array.from({ length: 7 }, sound))
  await completeRefunds(books.deps, [...good.slice(0, 3), bad, ...good.slice(3, 5)])
  expect(await Promise.all(good.map(available))).toEqual([10, 10, 10, 10, 10, 0, 0])
  await sweepRefunds(books.deps)
  expect(await Promise.all(good.map(available))).toEqual(Array(7).fill(10))
  expect(await books.balance(bad.accountId)).toMatchObject({ available: balanceMax, unfinished: 1 })
  books.clock.nowMs += 600_000
  expect(await books.findings()).toMatchObject([{ check: 'refund_stuck', detail: expect.stringContaining(bad.taskId) }])
})

test('a portion of refunds that all fail blocks none behind it', async () => {
  for (let nth = 0; nth < 3; nth++) await poison()
  books.clock.nowMs += 1
  const good = await sound()
  await sweepRefunds(books.deps, { sweptMax: 2 })
  expect(await available(good)).toBe(10)
})

test('a verdict whose refund cannot be posted is handled all the same', async () => {
  const [bad, good] = [ask(newId('acct'), 10), ask(newId('acct'), 10)]
  await books.post(grant(bad.accountId, 10), bad, grant(bad.accountId, balanceMax), grant(good.accountId, 10), good)
  const verdicts = [conclude('refused', bad), conclude('refused', good)].map((event, nth) => ({
    topic: 't',
    partition: 0,
    offset: String(nth),
    key: event.accountId,
    event,
    eventId: crypto.randomUUID(),
    traceparent: undefined,
    timestampMs: 0,
  }))
  await handleEvents(books.deps, verdicts)
  expect([await available(bad), await available(good)]).toEqual([balanceMax, 10])
})

test('a fault of the database that passes is thrown, so that all of it is tried again', async () => {
  const request = await sound()
  const transaction = () => Promise.reject(Object.assign(new Error('gone'), { code: '57P01' }))
  await expect(completeRefunds({ ...books.deps, outbox: { transaction } }, [request])).rejects.toThrow('gone')
})
