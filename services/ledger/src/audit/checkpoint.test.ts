import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { completeRefunds } from '../posting/complete-refunds'
import { ask, auditRules, conclude, debit, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { type AuditInput, audit } from './audit'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
  // What guards the tables is taken away: the auditor must find what slips past it.
  await books.sql.unsafe(`
    alter table entry disable trigger all; alter table reservation disable trigger all; drop index entry_one_ending;
    alter table account drop constraint account_available_check`)
})
afterAll(() => books.close())
beforeEach(async () => {
  await books.sql`truncate account, budget, budget_spend, credit_grant, reservation, entry, contradiction, outbox, audit_checkpoint, audit_account`
})

const run = (asked: Partial<AuditInput> = {}) => audit(books.sql, auditRules, { nowMs: books.clock.nowMs, lockWaitMs: 10_000, ...asked })
const checks = async (asked: Partial<AuditInput> = {}) => (await run(asked))?.findings.map(({ check }) => check)

/** An account with one task reserved, one settled, one refunded, and a debit. */
async function work(id = newId('acct')) {
  const [reserved, settled, refunded] = [ask(id, 10), ask(id, 20), ask(id, 30)]
  await books.post(grant(id, 100), debit(id, 1), reserved, settled, refunded)
  await books.post(conclude('completed', settled), conclude('refused', refunded))
  await completeRefunds(books.deps, [refunded])
  return { id, reserved: reserved.taskId, settled: settled.taskId, refunded: refunded.taskId, open: reserved }
}

test('the first run checks everything, those behind it what came since and all of what that touches', async () => {
  const old = await work()
  await work()
  expect(await run()).toEqual({ scope: 'full', findings: [], checked: { accounts: 2, grants: 4, reservations: 6, entries: 28 } })
  expect(await run()).toEqual({ scope: 'new', findings: [], checked: { accounts: 0, grants: 0, reservations: 0, entries: 0 } })
  await books.post(conclude('completed', old.open))
  await work()
  // The settlement's entries and the reservation's before the checkpoint, and a whole account's.
  expect(await run()).toEqual({ scope: 'new', findings: [], checked: { accounts: 2, grants: 2, reservations: 4, entries: 18 } })
  expect(await run({ full: true })).toMatchObject({ scope: 'full', findings: [], checked: { accounts: 3, entries: 44 } })
})

test.each<[string, (a: Awaited<ReturnType<typeof work>>) => PromiseLike<unknown>, string[]]>([
  ['a balance changed', a => books.sql`update account set available = available + 1 where id = ${a.id}`, ['balance_differs']],
  [
    'a balance below nothing',
    a => books.sql`update account set available = -1 where id = ${a.id}`,
    ['balance_differs', 'balance_negative'],
  ],
  ['a starter balance changed', a => books.sql`update account set starter = starter + 1 where id = ${a.id}`, ['balance_differs']],
  ['a count changed', a => books.sql`update account set unfinished = unfinished + 1 where id = ${a.id}`, ['unfinished_differs']],
  ['a debit changed', a => books.sql`update credit_grant set credits = 2 where account_id = ${a.id} and kind = 'debit'`, ['grant_differs']],
  ['a reservation lost', a => books.sql`delete from reservation where task_id = ${a.settled}`, ['entry_orphaned']],
  [
    'an entry changed',
    a => books.sql`update entry set credits = 11 where source_id = ${a.reserved} and book = 'reserved'`,
    ['transaction_unbalanced', 'books_unbalanced', 'reserved_differs', 'posting_differs'],
  ],
  [
    'an ending lost',
    a => books.sql`delete from entry where source_id = ${a.settled} and kind = 'settle'`,
    ['posting_differs', 'reserved_differs'],
  ],
])('%s among what is new is found by a run of what is new, again and again until it is mended', async (_, plant, expected) => {
  await work()
  await run()
  const planted = await work()
  await plant(planted)
  for (let again = 0; again < 2; again++) {
    const result = await run()
    expect(result?.scope).toBe('new')
    expect(new Set(result?.findings.map(({ check }) => check))).toEqual(new Set(expected))
  }
})

test('what is changed behind the checkpoint is found by a full run, and then by every run until it is mended', async () => {
  const { settled } = await work()
  await run()
  await books.sql`update entry set credits = credits * 2 where source_id = ${settled} and kind = 'settle'`
  expect(await checks()).toEqual([])
  expect(await checks({ full: true })).toContain('posting_differs')
  expect(await checks()).toContain('posting_differs')
  await books.sql`update entry set credits = credits / 2 where source_id = ${settled} and kind = 'settle'`
  expect(await run()).toMatchObject({ scope: 'full', findings: [] })
  expect(await run()).toMatchObject({ scope: 'new', findings: [] })
})

test('a full run is due by its rhythm', async () => {
  await work()
  await run()
  expect(await audit(books.sql, { ...auditRules, fullEveryMs: 0 }, { nowMs: books.clock.nowMs })).toMatchObject({ scope: 'full' })
})

test('entries of a transaction that began before a run and ends after it are not passed over', async () => {
  const { id } = await work()
  await run()
  const late = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const writing = books.sql.begin(async sql => {
    await sql`update account set starter = starter where id = ${id}`
    await sql`insert into entry (source_id, kind, book, account_id, credits, at) values ('late', 'grant', 'issued', ${id}, -5, now()), ('late', 'grant', 'customer_paid', ${id}, 5, now())`
    written.resolve()
    await late.promise
  })
  await written.promise
  await work()
  const running = run()
  late.resolve()
  await writing
  await running
  expect(await checks()).toContain('entry_orphaned')
})

test('one run at a time: another waits for its turn, or says that one is under way', async () => {
  await work()
  const [holder] = await Promise.all([books.sql.reserve()])
  await holder`select pg_advisory_lock(726136)`
  expect(await run({ lockWaitMs: 0 })).toBeUndefined()
  const waiting = run({ lockWaitMs: 10_000 })
  await holder`select pg_advisory_unlock(726136)`
  holder.release()
  expect(await waiting).toMatchObject({ scope: 'full', findings: [] })
  const [runs] = await Promise.all([books.sql`select count(*) as runs from audit_run`])
  await Promise.all([1, 2, 3, 4].map(() => run()))
  expect(await books.sql`select count(*) as runs from audit_run`).toMatchObject([{ runs: Number(runs[0]?.runs) + 4 }])
})

test('a sequence behind the checkpoint, as after a restore that lost it, makes the run a full one', async () => {
  await work()
  await run()
  await books.sql`select setval('entry_seq', 1)`
  expect(await run()).toMatchObject({ scope: 'full', findings: [] })
  await books.sql`select setval('entry_seq', 1000000)`
})
