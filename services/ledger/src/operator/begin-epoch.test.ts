import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, budget, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { beginEpoch } from './begin-epoch'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

const beginAll = async () => {
  let accounts = 0
  for (let after: string | null = ''; after !== null; ) {
    const part = await beginEpoch(books.deps, after)
    accounts += part.rows
    after = part.next
  }
  return accounts
}

const last = (accountId: string, name: string) => books.events(accountId).findLast(event => event.case === name)?.value

test('books that came back an hour older publish each balance and budget above every version that the lost hour has published', async () => {
  const account = newId('acct')
  await books.post(grant(account, 2_000), budget(account, { total: 5_000 }, { version: 1 }), ask(account, 500))
  // What the lost hour has published of the account: 10,000 credits at version 500.
  await books.sql`update account set balance_version = 450 where id = ${account}`
  expect(await beginAll()).toBeGreaterThan(0)
  const version = BigInt(books.clock.nowMs) * 1_000n
  expect(last(account, 'balanceChanged')).toMatchObject({ available: 1_500n, balanceVersion: version })
  expect(last(account, 'budgetSpent')).toMatchObject({ totalSpent: 500n, balanceVersion: version })
  expect(await books.findings()).toEqual([])
  await books.post(grant(account, 1))
  expect(last(account, 'balanceChanged')).toMatchObject({ available: 1_501n, balanceVersion: version + 1n })
})

test('books that are restored again, to before their former epoch, publish above that too', async () => {
  const account = newId('acct')
  await books.post(grant(account, 10))
  await beginAll()
  await books.post(grant(account, 10))
  const lost = (await books.balance(account))?.balanceVersion ?? 0
  await books.sql`update account set balance_version = 1 where id = ${account}`
  books.clock.nowMs += 3_600_000
  await beginAll()
  expect((await books.balance(account))?.balanceVersion).toBeGreaterThan(lost)
})

test('all accounts are published, part by part, each once', async () => {
  const accounts = Array.from({ length: 250 }, () => newId('acct'))
  await books.post(...accounts.map(account => grant(account, 10)))
  const before = books.published.length
  const begun = await beginAll()
  expect(begun).toBeGreaterThanOrEqual(250)
  expect(new Set(books.published.slice(before).map(({ key }) => key)).size).toBe(begun)
})
