import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Reserve } from '../../books/instruction'
import { completeRefunds } from '../../posting/complete-refunds'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../../testing/ledger-books'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

const startMs = 1_790_000_000_000
const hour = 3_600_000

/** A funded account with one request and what became of it, an hour before what is posted next. */
async function requestWith(...causes: ('uncertain' | 'completed' | 'refused')[]): Promise<Reserve> {
  books.clock.nowMs = startMs
  const accountId = newId('acct')
  const request = ask(accountId, 60)
  await books.post(grant(accountId, 100), request, ...causes.map(one => conclude(one, request)))
  if (causes.at(-1) === 'refused') await completeRefunds(books.deps, [request])
  books.clock.nowMs += hour
  return request
}

/** What is published about the account from here on, without its balance. */
function eventsAfter(accountId: string) {
  const known = books.events(accountId).length
  return () =>
    books
      .events(accountId)
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
for (const [causes, wanted] of ends)
  test(`a request delivered again after ${causes.join(', ') || 'its reservation'} brings ${wanted.join(' and ')}, and nothing moves`, async () => {
    const request = await requestWith(...causes)
    const events = eventsAfter(request.accountId)
    const before = await books.balance(request.accountId)
    await books.post(request, request)
    expect(events().map(event => event.case)).toEqual([...wanted])
    expect(await books.balance(request.accountId)).toEqual(before)
  })

test('a reservation is published again as it went out: the same order, balance and moment, whatever the account did since', async () => {
  const request = await requestWith()
  const [first] = books.events(request.accountId).filter(event => event.case === 'creditsReserved')
  await books.post(grant(request.accountId, 500))
  const events = eventsAfter(request.accountId)
  await books.post(request)
  expect(events()).toEqual(first ? [first] : [])
})

test('the order of an ended reservation is not kept; the one that comes again travels on, at the moment of the reservation', async () => {
  const request = await requestWith('completed')
  const [row] = await books.sql`select reserved_event from reservation where task_id = ${request.taskId}`
  expect(row?.reserved_event).toBeNull()
  await books.post(grant(request.accountId, 5))
  const events = eventsAfter(request.accountId)
  await books.post(request)
  expect(events()[0]?.value).toMatchObject({ order: request.order, at: { seconds: BigInt(startMs / 1_000) } })
})

test('an ended task that comes again with what was kept of its order brings its state only: the order is not whole', async () => {
  const request = await requestWith('completed')
  const events = eventsAfter(request.accountId)
  await books.post({ ...request, held: { starter: 0, ended: true } })
  expect(events().map(event => event.case)).toEqual(['creditsSettled'])
})

test('an ended reservation and its refund are published again with the balances that they left, and then the balance of now', async () => {
  const request = await requestWith('refused')
  await books.post(grant(request.accountId, 5))
  const known = books.events(request.accountId).length
  const balancesOf = (kind: 'creditsReserved' | 'creditsRefunded') =>
    books.events(request.accountId).flatMap(event => (event.case === kind ? [[event.value.available, event.value.balanceVersion]] : []))
  await books.post(request)
  expect(balancesOf('creditsReserved')).toEqual([
    [40n, 2n],
    [40n, 2n],
  ])
  expect(balancesOf('creditsRefunded')).toEqual([
    [100n, 3n],
    [100n, 3n],
  ])
  expect(books.events(request.accountId).slice(known).at(-1)).toMatchObject({
    case: 'balanceChanged',
    value: { available: 105n, balanceVersion: 4n },
  })
})

test('a reservation of an earlier version is published again with the balance of now', async () => {
  const request = await requestWith('refused')
  await books.sql.begin(async sql => {
    await sql`set local session_replication_role = replica`
    await sql`update reservation set reserved_available = null, reserved_version = null, refunded_available = null, refunded_version = null
              where task_id = ${request.taskId}`
  })
  const events = eventsAfter(request.accountId)
  await books.post(grant(request.accountId, 5), request)
  expect(events()).toMatchObject([
    { case: 'creditsReserved', value: { available: 105n } },
    { case: 'creditsRefunded', value: { available: 105n } },
  ])
})

test('a verdict delivered again brings its ending, at its moment, and no reservation: no later step is repeated', async () => {
  for (const [cause, wanted] of [
    ['uncertain', 'reviewOpened'],
    ['completed', 'creditsSettled'],
    ['refused', 'creditsRefunded'],
  ] as const) {
    const request = await requestWith(cause)
    await books.post(grant(request.accountId, 5))
    const events = eventsAfter(request.accountId)
    await books.post(conclude(cause, request), conclude(cause, request))
    expect(events().map(event => event.case)).toEqual([wanted])
    expect(events()[0]?.value?.at?.seconds).toBe(BigInt(startMs / 1_000))
  }
})

test('a refusal delivered again is published as it was', async () => {
  const accountId = newId('acct')
  books.clock.nowMs = startMs
  const request = ask(accountId, 60)
  await books.post(grant(accountId, 10), request)
  const events = eventsAfter(accountId)
  books.clock.nowMs += hour
  await books.post(grant(accountId, 1_000), request, request)
  expect(events()).toMatchObject([
    { case: 'creditsDeclined', value: { required: 60n, available: 10n, at: { seconds: BigInt(startMs / 1_000) } } },
  ])
})

test('five hundred requests delivered again are replayed in one transaction, and move nothing', async () => {
  const accountId = newId('acct')
  const requests = Array.from({ length: 500 }, () => ask(accountId, 1))
  await books.post(grant(accountId, 3), ...requests)
  const events = eventsAfter(accountId)
  const before = await books.balance(accountId)
  await books.post(...requests)
  expect(events()).toHaveLength(500)
  expect(await books.balance(accountId)).toEqual(before)
})

test('after all of this the auditor finds nothing', async () => {
  expect(await books.findings()).toEqual([])
})
