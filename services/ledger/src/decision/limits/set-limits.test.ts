import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../../testing/ledger-books'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

const limits = (accountId: string, version: number, unfinishedMax: number | null) => ({
  kind: 'set_limits' as const,
  ...{ accountId, version, unfinishedMax },
})
const reserved = (accountId: string) => books.events(accountId).filter(event => event.case === 'creditsReserved').length
const askMany = async (accountId: string, count: number) => {
  const requests = Array.from({ length: count }, () => ask(accountId, 1))
  for (const request of requests) await books.post(request)
  return requests
}

test('an account has as many unfinished tasks as its own limit says, one without as the rules say', async () => {
  const [own, other] = [newId('acct'), newId('acct')]
  await books.post(grant(own, 100), grant(other, 100), limits(own, 1, 5))
  await Promise.all([askMany(own, 7), askMany(other, 7)])
  expect([reserved(own), reserved(other)]).toEqual([5, 3])
})

test('a limit counts within its batch, lowered it refuses what comes, and taken back the rules hold', async () => {
  const account = newId('acct')
  await books.post(grant(account, 100), limits(account, 1, 4), ...Array.from({ length: 6 }, () => ask(account, 1)))
  expect(reserved(account)).toBe(4)
  await books.post(limits(account, 2, 1))
  await askMany(account, 1)
  expect(reserved(account)).toBe(4)
  const ended = books.events(account).flatMap(event => (event.case === 'creditsReserved' ? (event.value.order?.taskId ?? []) : []))
  for (const taskId of ended) await books.post(conclude('completed', { taskId, accountId: account }))
  await askMany(account, 2)
  expect(reserved(account)).toBe(5)
  await books.post(limits(account, 3, null))
  await askMany(account, 4)
  expect(reserved(account)).toBe(7)
})

test('a change that comes twice or late, or before its account, never undoes a later one; no balance moves', async () => {
  const account = newId('acct')
  await books.post(limits(account, 2, 2))
  await books.post(grant(account, 100))
  await books.post(limits(account, 1, 50), limits(account, 2, 60))
  const before = await books.balance(account)
  await books.post(limits(account, 2, 70))
  expect(await books.balance(account)).toEqual(before)
  await askMany(account, 5)
  expect(reserved(account)).toBe(2)
})
