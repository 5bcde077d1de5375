import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Entry } from '../books/entry'

/** All entries of a transaction must come in one call: the database refuses those that don't sum to zero. */
export const insertEntries = (sql: TransactionSql, entries: Entry[]) => sql`
  insert into entry (source_id, kind, book, account_id, credits, balance_version, at)
  select "sourceId", kind, book, "accountId", credits, "balanceVersion", to_timestamp("atMs" / 1000)
  from ${recordset(
    sql,
    'row',
    {
      sourceId: 'text',
      kind: 'entry_kind',
      book: 'book',
      accountId: 'text',
      credits: 'bigint',
      balanceVersion: 'bigint',
      atMs: 'float8',
    },
    entries,
  )}`

export type EntryRow = Omit<Entry, 'balanceVersion' | 'atMs'> & { at: Date }

/** A task's, a grant's or a debit's entries in the order they were posted. */
export const findEntries = (sql: Sql, sourceId: string) => sql<EntryRow[]>`
  select source_id as "sourceId", kind, book, account_id as "accountId", credits, at
  from entry where source_id = ${sourceId} order by kind, book`
