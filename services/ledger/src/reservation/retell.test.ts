import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Ask, ask, grant, hear, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { completeRefunds } from './complete-refunds'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

const begunMs = 1_790_000_000_000
const hour = 3_600_000

/** A funded account with one request, and what became of it, an hour before what is posted next. */
async function asked(...heard: ('uncertain' | 'completed' | 'refused')[]): Promise<Ask> {
  books.clock.nowMs = begunMs
  const accountId = newId('acct')
  const request = ask(accountId, 60)
  await books.post(grant(accountId, 100), request, ...heard.map(one => hear(one, request)))
  if (heard.at(-1) === 'refused') await completeRefunds(books.deps, [request])
  books.clock.nowMs += hour
  return request
}

/** What is told of the account from here on, without its balance. */
function toldFrom(accountId: string) {
  const known = books.told(accountId).length
  return () =>
    books
      .told(accountId)
      .slice(known)
      .filter(event => event.case !== 'balanceChanged' && event.case !== 'creditsChangeDecided')
}

const ends = [
  [[], ['creditsReserved']],
  [['uncertain'], ['creditsReserved', 'reviewOpened']],
  [['completed'], ['creditsReserved', 'creditsSettled']],
  [
    ['uncertain', 'completed'],
    ['creditsReserved', 'creditsSettled'],
  ],
  [['refused'], ['creditsReserved', 'creditsRefunded']],
] as const
for (const [heard, wanted] of ends)
  test(`a request delivered again after ${heard.join(', ') || 'its reservation'} is told ${wanted.join(' and ')}, and nothing moves`, async () => {
    const request = await asked(...heard)
    const told = toldFrom(request.accountId)
    const before = await books.balance(request.accountId)
    await books.post(request, request)
    expect(told().map(event => event.case)).toEqual([...wanted])
    expect(await books.balance(request.accountId)).toEqual(before)
  })

test('a reservation is told again as it went out: the same order, balance and moment, whatever the account did since', async () => {
  const request = await asked()
  const [first] = books.told(request.accountId).filter(event => event.case === 'creditsReserved')
  await books.post(grant(request.accountId, 500))
  const told = toldFrom(request.accountId)
  await books.post(request)
  expect(told()).toEqual(first ? [first] : [])
})

test('the order of an ended reservation is not kept; the one that comes again travels on, at the moment of the reservation', async () => {
  const request = await asked('completed')
  const [row] = await books.sql`select reserved_event from reservation where task_id = ${request.taskId}`
  expect(row?.reserved_event).toBeNull()
  await books.post(grant(request.accountId, 5))
  const told = toldFrom(request.accountId)
  await books.post(request)
  expect(told()[0]?.value).toMatchObject({ order: request.order, at: { seconds: BigInt(begunMs / 1_000) } })
})

test('an ended reservation and its refund are told again with the balances that they left, and then the balance of now', async () => {
  const request = await asked('refused')
  await books.post(grant(request.accountId, 5))
  const known = books.told(request.accountId).length
  const balancesOf = (kind: 'creditsReserved' | 'creditsRefunded') =>
    books.told(request.accountId).flatMap(event => (event.case === kind ? [[event.value.available, event.value.balanceVersion]] : []))
  await books.post(request)
  expect(balancesOf('creditsReserved')).toEqual([
    [40n, 2n],
    [40n, 2n],
  ])
  expect(balancesOf('creditsRefunded')).toEqual([
    [100n, 3n],
    [100n, 3n],
  ])
  expect(books.told(request.accountId).slice(known).at(-1)).toMatchObject({
    case: 'balanceChanged',
    value: { available: 105n, balanceVersion: 4n },
  })
})

test('a reservation of an earlier version is told again with the balance of now', async () => {
  const request = await asked('refused')
  await books.sql.begin(async sql => {
    await sql`set local session_replication_role = replica`
    await sql`update reservation set reserved_available = null, reserved_version = null, refunded_available = null, refunded_version = null
              where task_id = ${request.taskId}`
  })
  const told = toldFrom(request.accountId)
  await books.post(grant(request.accountId, 5), request)
  expect(told()).toMatchObject([
    { case: 'creditsReserved', value: { available: 105n } },
    { case: 'creditsRefunded', value: { available: 105n } },
  ])
})

test('a verdict delivered again is told its ending, at its moment, and no reservation: the line is not walked twice', async () => {
  for (const [heard, wanted] of [
    ['uncertain', 'reviewOpened'],
    ['completed', 'creditsSettled'],
    ['refused', 'creditsRefunded'],
  ] as const) {
    const request = await asked(heard)
    await books.post(grant(request.accountId, 5))
    const told = toldFrom(request.accountId)
    await books.post(hear(heard, request), hear(heard, request))
    expect(told().map(event => event.case)).toEqual([wanted])
    expect(told()[0]?.value?.at?.seconds).toBe(BigInt(begunMs / 1_000))
  }
})

test('a refusal delivered again is told as it was', async () => {
  const accountId = newId('acct')
  books.clock.nowMs = begunMs
  const request = ask(accountId, 60)
  await books.post(grant(accountId, 10), request)
  const told = toldFrom(accountId)
  books.clock.nowMs += hour
  await books.post(grant(accountId, 1_000), request, request)
  expect(told()).toMatchObject([
    { case: 'creditsDeclined', value: { required: 60n, available: 10n, at: { seconds: BigInt(begunMs / 1_000) } } },
  ])
})

test('five hundred requests delivered again are told again in one transaction, and move nothing', async () => {
  const accountId = newId('acct')
  const requests = Array.from({ length: 500 }, () => ask(accountId, 1))
  await books.post(grant(accountId, 3), ...requests)
  const told = toldFrom(accountId)
  const before = await books.balance(accountId)
  await books.post(...requests)
  expect(told()).toHaveLength(500)
  expect(await books.balance(accountId)).toEqual(before)
})

test('after all of this the auditor finds nothing', async () => {
  expect(await books.findings()).toEqual([])
})
