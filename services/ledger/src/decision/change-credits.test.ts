import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ChangeKind, ChangeRefusal } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { acknowledgeContradictions } from '../database/contradiction-repository'
import { findEntries } from '../database/entry-repository'
import { ask, debit, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

const decisions = (accountId: string) =>
  books
    .events(accountId)
    .flatMap(event => (event.case === 'creditsChangeDecided' ? [{ ...event.value, $typeName: undefined, at: undefined }] : []))

test('a debit takes credits back, and its entries sum to zero', async () => {
  const account = newId('acct')
  const taken = debit(account, 30)
  await books.post(grant(account, 100), taken)
  expect(await books.balance(account)).toEqual({ id: account, available: 70, starter: 0, owed: 0, unfinished: 0, balanceVersion: 2 })
  expect((await findEntries(books.sql, taken.change.id)).map(({ kind, book, credits }) => [kind, book, credits])).toEqual([
    ['debit', 'customer_paid', -30],
    ['debit', 'issued', 30],
  ])
  expect(decisions(account).at(-1)).toMatchObject({
    changeId: taken.change.id,
    kind: ChangeKind.DEBIT,
    balance: Balance.PAID,
    credits: 30n,
    applied: true,
    refusal: ChangeRefusal.UNSPECIFIED,
    available: 70n,
    starter: 0n,
    balanceVersion: 2n,
  })
  expect(await books.sql`select operator, reason, kind, applied from credit_grant where id = ${taken.change.id}`).toMatchObject([
    { operator: 'tester', reason: 'a test', kind: 'debit', applied: true },
  ])
  expect(await books.findings()).toEqual([])
})

test('a debit of more than there is, of either balance, is declined and moves nothing, also once there would be enough', async () => {
  const account = newId('acct')
  const [tooMuch, ofStarter] = [debit(account, 101), debit(account, 8, 'starter')]
  await books.post(grant(account, 100), grant(account, 7, 'starter'), tooMuch, ofStarter)
  await books.post(grant(account, 100), tooMuch)
  expect(await books.balance(account)).toMatchObject({ available: 200, starter: 7 })
  expect(await findEntries(books.sql, tooMuch.change.id)).toHaveLength(0)
  const declined = decisions(account).filter(({ applied }) => !applied)
  const refused = { applied: false, refusal: ChangeRefusal.INSUFFICIENT_CREDITS, available: 100n, starter: 7n, balanceVersion: 2n }
  expect(declined).toMatchObject([
    { changeId: tooMuch.change.id, ...refused },
    { changeId: ofStarter.change.id, ...refused },
    { changeId: tooMuch.change.id, ...refused },
  ])
  expect(await books.findings()).toEqual([])
})

test('credits that a reservation holds are not there for a debit', async () => {
  const account = newId('acct')
  await books.post(grant(account, 100), ask(account, 60), debit(account, 41), debit(account, 40))
  expect(await books.balance(account)).toMatchObject({ available: 0 })
  expect(decisions(account).map(({ applied }) => applied)).toEqual([true, false, true])
})

test('a grant and a debit asked for again move nothing again, and what became of them is told again', async () => {
  const account = newId('acct')
  const [given, taken] = [grant(account, 100), debit(account, 30)]
  await books.post(given, taken, given)
  await books.post(taken, given)
  expect(await books.balance(account)).toMatchObject({ available: 70, balanceVersion: 2 })
  const published = decisions(account)
  expect(published.map(({ changeId }) => changeId)).toEqual([given, taken, given, taken, given].map(({ change }) => change.id))
  expect(published[4]).toEqual(published[0] as (typeof published)[0])
  expect(published[3]).toEqual(published[1] as (typeof published)[0])
  expect(await books.findings()).toEqual([])
})

test('the same id with other terms moves nothing and is a finding until it is acknowledged, whichever of its terms is another', async () => {
  const account = newId('acct')
  const first = grant(account, 100)
  await books.post(first)
  const other = (terms: object) => ({ ...first, change: { ...first.change, ...terms } })
  const others = [
    { credits: 99 },
    { balance: 'starter' as const },
    { kind: 'debit' as const },
    { reason: 'another' },
    { beyondBalance: true },
  ]
  for (const terms of others) {
    await books.post(other(terms))
    expect(await books.findings()).toMatchObject([{ check: 'verdict_contradicts', detail: expect.stringContaining(first.change.id) }])
    await acknowledgeContradictions(books.sql, first.change.id, { reason: 'seen', by: 'ada' })
    await books.sql`delete from contradiction`
  }
  const elsewhere = newId('acct')
  await books.post({ ...other({ accountId: elsewhere }), accountId: elsewhere })
  expect(await books.findings()).toMatchObject([{ check: 'verdict_contradicts' }])
  expect(decisions(elsewhere)).toMatchObject([{ applied: false, refusal: ChangeRefusal.OTHER_TERMS, available: 0n }])
  expect([await books.balance(account), await books.balance(elsewhere)]).toMatchObject([{ available: 100 }, { available: 0 }])
  await books.sql`delete from contradiction`
})

test('an id that was refused where it was asked for is a finding too', async () => {
  const account = newId('acct')
  await books.post({ kind: 'report_reuse', accountId: account, changeId: 'g-1', asked: 'grant of 5', known: 'grant of 6' })
  expect(await books.findings()).toEqual([{ check: 'verdict_contradicts', detail: 'g-1 was asked for as grant of 5, known as grant of 6' }])
  await books.sql`delete from contradiction`
})

test('twenty deliveries of one debit at once take it once', async () => {
  const account = newId('acct')
  const taken = debit(account, 30)
  await books.post(grant(account, 100))
  await Promise.all(Array.from({ length: 20 }, () => books.post(taken)))
  expect(await books.balance(account)).toMatchObject({ available: 70 })
  expect(await books.findings()).toEqual([])
})
