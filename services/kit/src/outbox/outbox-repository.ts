import type { Fragment, Sql, TransactionSql } from '../database/postgres'
import { recordset } from '../database/recordset'

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

const sweepersLock = 726_137

/**
 * Whether this transaction may sweep, which one at a time may: a second sweeper would take the rows behind those that the first is still
 * publishing, and a key's later events would overtake its earlier ones.
 */
export async function lockSweep(sql: TransactionSql): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${sweepersLock}) as taken`
  return row?.taken ?? false
}

/** Rows older than `ageMs` that were never refused, oldest first, locked; rows that are being taken off the outbox are left out. */
export const lockOldOutbox = (sql: TransactionSql, ageMs: number, rowsMax: number) =>
  sql<OutboxRow[]>`
    select id, topic, key, value, headers from outbox
    where created_at < now() - ${ageMs} * interval '1 millisecond' and next_try_at is null
    order by id limit ${rowsMax} for update skip locked`

/** Refused rows whose time has come, in the same way. */
export const lockRefusedOutbox = (sql: TransactionSql, rowsMax: number) =>
  sql<OutboxRow[]>`
    select id, topic, key, value, headers from outbox where next_try_at <= now()
    order by next_try_at, id limit ${rowsMax} for update skip locked`

/** Puts refused rows off, for twice as long each time. */
export async function postponeOutbox(sql: TransactionSql, ids: string[], firstSeconds: number, secondsMax: number): Promise<void> {
  await sql`
    update outbox
    set refusals = refusals + 1, next_try_at = now() + least(${firstSeconds} * 2 ^ least(refusals, 20), ${secondsMax}) * interval '1 second'
    where id = any(${ids}::uuid[])`
}

export const countRefusedOutbox = (sql: Sql) =>
  sql<{ topic: string; rows: number }[]>`
    select topic, count(*)::float8 as rows from outbox where next_try_at is not null group by topic`

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
