import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** An arbitrary number, the same for every audit of these books. */
const advisoryLock = 726_136

/** One run at a time over all replicas, commands and operators: the lock is held until the connection ends. */
export async function tryLock(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${advisoryLock}) as taken`
  return row?.taken === true
}

/** The last sequence number given out, and then the next transaction id: every one of those numbers belongs to an earlier transaction. */
export async function findHorizon(sql: Sql): Promise<{ seq: number; xid: string }> {
  const [given] = await sql<{ seq: number }[]>`select case when is_called then last_value else 0 end as seq from entry_seq`
  const [next] = await sql<{ xid: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`
  return { seq: given?.seq ?? 0, xid: next?.xid ?? '0' }
}

/** Whether every transaction before `xid` has ended. */
export async function allEnded(sql: Sql, xid: string): Promise<boolean> {
  const [row] = await sql<{ ended: boolean }[]>`select pg_snapshot_xmin(pg_current_snapshot()) >= ${xid}::xid8 as ended`
  return row?.ended === true
}

/** Without this, pages that the index has no summary of are read as if all of their entries were new. */
export async function summarizeEntries(sql: Sql): Promise<void> {
  await sql`select set_config('lock_timeout', '1000', false)`
  await sql`select brin_summarize_new_values('entry_by_seq')`
}

export type Checkpoint = { seq: number; fullAgeMs: number; clean: boolean }

export async function findCheckpoint(sql: Sql): Promise<Checkpoint | undefined> {
  const [row] = await sql<Checkpoint[]>`
    select seq, (extract(epoch from now() - full_at) * 1000)::float8 as "fullAgeMs", clean from audit_checkpoint`
  return row
}

/** Adds what the accounts' entries after `from` up to `to` sum up to, and advances the checkpoint to `to`. */
export async function advanceCheckpoint(sql: TransactionSql, from: number, to: number): Promise<void> {
  await sql`
    insert into audit_account as known (account_id, paid, starter, reserved, owed)
    select account_id, coalesce(sum(credits) filter (where book = 'customer_paid'), 0),
           coalesce(sum(credits) filter (where book = 'customer_starter'), 0), coalesce(sum(credits) filter (where book = 'reserved'), 0),
           coalesce(-sum(credits) filter (where book = 'owed'), 0)
    from entry where seq > ${from} and seq <= ${to} group by account_id
    on conflict (account_id) do update
    set paid = known.paid + excluded.paid, starter = known.starter + excluded.starter, reserved = known.reserved + excluded.reserved,
        owed = known.owed + excluded.owed`
  await sql`update audit_checkpoint set seq = ${to}`
}

/** Sums everything up to `seq` anew, with the entries that are older than the sequence. */
export async function replaceCheckpoint(sql: TransactionSql, seq: number): Promise<void> {
  await sql`select set_config('enable_seqscan', 'on', true)`
  await sql`truncate audit_account`
  await sql`
    insert into audit_account (account_id, paid, starter, reserved, owed)
    select account_id, coalesce(sum(credits) filter (where book = 'customer_paid'), 0),
           coalesce(sum(credits) filter (where book = 'customer_starter'), 0), coalesce(sum(credits) filter (where book = 'reserved'), 0),
           coalesce(-sum(credits) filter (where book = 'owed'), 0)
    from entry where seq is null or seq <= ${seq} group by account_id`
  await sql`
    insert into audit_checkpoint (seq, full_at, clean) values (${seq}, now(), true)
    on conflict (one) do update set seq = excluded.seq, full_at = excluded.full_at, clean = true`
}

/** A full run found something wrong with credits: the next run checks everything again. */
export async function markUnclean(sql: TransactionSql): Promise<void> {
  await sql`
    insert into audit_checkpoint (seq, full_at, clean) values (0, now(), false)
    on conflict (one) do update set full_at = excluded.full_at, clean = false`
}
