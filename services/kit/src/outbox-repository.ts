import type { Fragment, Sql, TransactionSql } from './postgres'
import { recordset } from './recordset'

export type OutboxRow = { id: string; topic: string; key: string; value: Uint8Array; headers: Record<string, string> }

/**
 * Inserts rows; as a part of a larger statement it can be followed by a `where` about `event.subject`, the n-th of `subjects` for the
 * n-th row. Bytes go as hex: one constant statement for any number of rows.
 */
export const insertOutbox = (sql: Sql | TransactionSql, rows: OutboxRow[], subjects: string[] = rows.map(row => row.id)): Fragment => sql`
  insert into outbox (id, topic, key, value, headers)
  select event.id, topic, key, decode(value, 'hex'), headers
  from ${recordset(
    sql,
    'event',
    { id: 'uuid', topic: 'text', key: 'text', value: 'text', headers: 'jsonb', subject: 'text' },
    rows.map((row, n) => ({ ...row, value: Buffer.from(row.value).toString('hex'), subject: subjects[n] })),
  )}`

export async function deleteOutbox(sql: Sql | TransactionSql, ids: string[]): Promise<void> {
  await sql`delete from outbox where id = any(${ids}::uuid[])`
}

/**
 * Rows older than `ageMs` after the row `after`, oldest first, locked; rows another sweeper holds are left to it. `after` lets a sweep go on
 * past what the broker has just refused.
 */
export const lockOldOutbox = (sql: TransactionSql | Sql, ageMs: number, rowsMax: number, after: string) =>
  sql<OutboxRow[]>`
    select id, topic, key, value, headers from outbox
    where created_at < now() - ${ageMs} * interval '1 millisecond' and id > ${after}
    order by id limit ${rowsMax} for update skip locked`

export async function countOutbox(sql: Sql): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`select count(*) as waiting from outbox`
  return row?.waiting ?? 0
}

/** Age of the oldest event that waits; 0 where none does. */
export async function findOldestOutboxSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from now() - created_at)::float8 as seconds from outbox order by id limit 1`
  return row?.seconds ?? 0
}
