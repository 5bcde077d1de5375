import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { completeRefunds } from '../posting/complete-refunds'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'

/** What docs/operations.md advises for many entries, tried on books that are in use. */
let books: LedgerBooks
let request: ReturnType<typeof ask>
beforeAll(async () => {
  books = await ledgerBooks()
  request = await settledTask()
  await books.findings()
  const own = await books.sql.reserve()
  await own.unsafe(await Bun.file(join(import.meta.dir, '../../operations/partition-entry.sql')).text())
  own.release()
}, 60_000)
afterAll(() => books.close())

async function settledTask() {
  const request = ask(newId('acct'), 10)
  await books.post(grant(request.accountId, 100), request, conclude('completed', request))
  return request
}

test('partitioned by its source, entry keeps what money rests on', async () => {
  const { sql } = books
  const twice = sql`insert into entry (source_id, kind, book, account_id, credits, at) select source_id, kind, book, account_id, credits, at from entry where kind = 'settle'`
  await expect(twice.execute()).rejects.toThrow('duplicate key')
  const secondEnding = sql`insert into entry (source_id, kind, book, account_id, credits, at) values
    (${request.taskId}, 'refund', 'reserved', ${request.accountId}, -10, now()), (${request.taskId}, 'refund', 'customer_paid', ${request.accountId}, 10, now())`
  await expect(secondEnding.execute()).rejects.toThrow('source_id_idx')
  const unbalanced = sql`insert into entry (source_id, kind, book, account_id, credits, at) values ('x', 'settle', 'revenue', 'a', 1, now())`
  await expect(unbalanced.execute()).rejects.toThrow('do not sum to zero')
  await expect(sql`update entry set credits = 1`.execute()).rejects.toThrow('entries are kept')
  await expect(sql`delete from entry`.execute()).rejects.toThrow('entries are kept')
})

test('the ledger and its auditor work on as before', async () => {
  await settledTask()
  const refused = ask(newId('acct'), 10)
  await books.post(grant(refused.accountId, 100), refused, conclude('refused', refused))
  await completeRefunds(books.deps, [refused])
  expect(await books.balance(refused.accountId)).toMatchObject({ available: 100, unfinished: 0 })
  expect(await books.findings({ full: false })).toEqual([])
  expect(await books.findings()).toEqual([])
})

test('partitioned by month it could keep none of its unique indexes', async () => {
  const { sql } = books
  await sql`create table entry_by_month (like entry including defaults) partition by range (at)`
  const key = sql`alter table entry_by_month add primary key (source_id, kind, book)`
  await expect(key.execute()).rejects.toThrow('must include all partitioning columns')
  const ending = sql`create unique index on entry_by_month (source_id) where book = 'reserved' and kind in ('settle', 'refund')`
  await expect(ending.execute()).rejects.toThrow('must include all partitioning columns')
})
