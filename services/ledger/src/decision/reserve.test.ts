import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DeclineReason } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { findEntries } from '../database/entry-repository'
import { findReservation } from '../database/reservation-repository'
import { ask, grant, type LedgerBooks, ledgerBooks, newId, open } from '../testing/ledger-books'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

async function newAccount(paid: number, starter = 0): Promise<string> {
  const id = newId('acct')
  await books.post(open(id))
  if (paid > 0) await books.post(grant(id, paid))
  if (starter > 0) await books.post(grant(id, starter, 'starter'))
  return id
}

const outcomes = (accountId: string) =>
  books
    .events(accountId)
    .filter(event => event.case === 'creditsReserved' || event.case === 'creditsDeclined')
    .map(event => (event.case === 'creditsDeclined' ? DeclineReason[event.value.reason] : 'reserved'))

test('a request holds its credits: balance, entries and event say the same, and the order travels on whole', async () => {
  const account = await newAccount(100)
  const request = ask(account, 60, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })
  await books.post(request)
  expect(await books.balance(account)).toEqual({ id: account, available: 40, starter: 0, owed: 0, unfinished: 1, balanceVersion: 2 })
  expect((await findEntries(books.sql, request.taskId)).map(({ book, credits, kind }) => [kind, book, credits])).toEqual([
    ['reserve', 'customer_paid', -60],
    ['reserve', 'reserved', 60],
  ])
  const event = books.events(account).at(-1)
  expect(event).toMatchObject({ case: 'creditsReserved', value: { order: request.order, available: 40n, balanceVersion: 2n } })
  expect(books.published.at(-1)?.headers).toEqual({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })
})

test('an account opened, funded and asking in one batch is served in that order', async () => {
  const account = newId('acct')
  await books.post(open(account), grant(account, 10), ask(account, 10))
  expect(await books.balance(account)).toEqual({ id: account, available: 0, starter: 0, owed: 0, unfinished: 1, balanceVersion: 2 })
})

test('a grant of an account that was never opened opens it: no credit is lost', async () => {
  const account = newId('acct')
  await books.post(grant(account, 10))
  expect(await books.balance(account)).toEqual({ id: account, available: 10, starter: 0, owed: 0, unfinished: 0, balanceVersion: 1 })
})

test('a grant delivered twice, together or later, is granted once', async () => {
  const account = newId('acct')
  const once = grant(account, 10)
  await books.post(once, once)
  await books.post(once)
  expect(await books.balance(account)).toEqual({ id: account, available: 10, starter: 0, owed: 0, unfinished: 0, balanceVersion: 1 })
  expect(books.events(account).filter(event => event.case === 'balanceChanged')).toHaveLength(1)
})

test('a declined request leaves a smaller one behind it its chance', async () => {
  const account = await newAccount(100)
  await books.post(ask(account, 80), ask(account, 50), ask(account, 20))
  expect(outcomes(account)).toEqual(['reserved', 'INSUFFICIENT_CREDITS', 'reserved'])
  expect(books.events(account).find(event => event.case === 'creditsDeclined')?.value).toMatchObject({ required: 50n, available: 20n })
})

test('a fourth unfinished task is refused, whatever the balance, and before the balance is looked at', async () => {
  const account = await newAccount(100)
  await books.post(...[10, 10, 10, 10, 1_000].map(credits => ask(account, credits)))
  expect(outcomes(account)).toEqual(['reserved', 'reserved', 'reserved', 'UNFINISHED_TASK_LIMIT', 'UNFINISHED_TASK_LIMIT'])
})

test('a request met after its admit_by is declined, one met at its admit_by is not', async () => {
  const account = await newAccount(100)
  await books.post(ask(account, 10, { admitByMs: books.clock.nowMs - 1 }), ask(account, 10, { admitByMs: books.clock.nowMs }))
  expect(outcomes(account)).toEqual(['ADMISSION_EXPIRED', 'reserved'])
})

test('a request of an unknown account is declined and opens nothing', async () => {
  const account = newId('acct')
  await books.post(ask(account, 10))
  expect(outcomes(account)).toEqual(['UNKNOWN_ACCOUNT'])
  expect(await books.balance(account)).toBeUndefined()
})

test('starter credits never fund the API', async () => {
  const account = await newAccount(5, 100)
  await books.post(ask(account, 6))
  expect(outcomes(account)).toEqual(['INSUFFICIENT_CREDITS'])
  expect(books.events(account).at(-1)?.value).toMatchObject({ available: 5n })
})

test('a web task spends starter credits first, then paid ones, and both balances are told', async () => {
  const account = await newAccount(5, 100)
  const request = ask(account, 103, { surface: 'web' })
  await books.post(request)
  expect(await books.balance(account)).toEqual({ id: account, available: 2, starter: 0, owed: 0, unfinished: 1, balanceVersion: 3 })
  expect(await findReservation(books.sql, request.taskId)).toMatchObject({ paid: 3, starter: 100, state: 'reserved' })
  expect(books.events(account).slice(-2)).toMatchObject([
    { case: 'creditsReserved', value: { available: 2n, starter: 100n, balanceVersion: 3n } },
    { case: 'balanceChanged', value: { available: 2n, starter: 0n, balanceVersion: 3n } },
  ])
})

test('a web task that both balances together cannot fund is told what both hold', async () => {
  const account = await newAccount(5, 10)
  await books.post(ask(account, 16, { surface: 'web' }))
  expect(books.events(account).at(-1)).toMatchObject({ case: 'creditsDeclined', value: { required: 16n, available: 15n } })
})

test('a request delivered twice, together, later or at once on two replicas, is reserved once; a later delivery is told the same again', async () => {
  const account = await newAccount(100)
  const request = ask(account, 30)
  await books.post(request, request)
  await Promise.all([books.post(request), books.post(request)])
  expect(await books.balance(account)).toEqual({ id: account, available: 70, starter: 0, owed: 0, unfinished: 1, balanceVersion: 2 })
  expect(outcomes(account)).toEqual(['reserved', 'reserved', 'reserved'])
})

test('a request told no stays refused when it comes again after the account was filled', async () => {
  const account = await newAccount(10)
  const request = ask(account, 30)
  await books.post(request, request)
  await books.post(grant(account, 1_000))
  await books.post(request)
  expect(outcomes(account)).toEqual(['INSUFFICIENT_CREDITS', 'INSUFFICIENT_CREDITS'])
  expect(await books.balance(account)).toEqual({ id: account, available: 1_010, starter: 0, owed: 0, unfinished: 0, balanceVersion: 2 })
})

test('two hundred at once never spend what is not there', async () => {
  const account = await newAccount(25)
  await Promise.all(Array.from({ length: 200 }, () => books.post(ask(account, 10))))
  // On a slow machine the sweeper publishes a second time what the process is about to: an event may come twice.
  const held = books.events(account).flatMap(event => (event.case === 'creditsReserved' ? [event.value.order?.taskId] : []))
  expect(new Set(held).size).toBe(2)
  expect(await books.balance(account)).toEqual({ id: account, available: 5, starter: 0, owed: 0, unfinished: 2, balanceVersion: 3 })
})

test('batches that name the same accounts in opposite order do not block each other', async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, () => newAccount(1_000)))
  const there = accounts.map(account => ask(account, 1))
  const back = accounts.toReversed().map(account => ask(account, 1))
  await Promise.all([books.post(...there), books.post(...back)])
  expect(await Promise.all(accounts.map(async account => (await books.balance(account))?.unfinished))).toEqual(accounts.map(() => 2))
})

test('after all of this the auditor finds nothing', async () => {
  expect(await books.findings()).toEqual([])
})
