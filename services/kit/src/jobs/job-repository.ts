import type { Fragment, Sql, TransactionSql } from '../database/postgres'
import { recordset } from '../database/recordset'

export type Job<P = unknown> = {
  kind: string
  id: string
  fairnessKey: string
  payload: P
  /** The fencing token: it grows with every claim, and only its holder may write. */
  epoch: number
  tries: number
  /**
   * Its holder has ended it, or given it back, unless that is undone with its transaction: whoever has it now took it over from nobody.
   * Set by the statements here, read where a lease is found to be somebody else's.
   */
  released?: boolean
}

export type NewJob = { kind: string; id: string; fairnessKey?: string; payload?: object; runAfterMs?: number }

/** Jobs that exist already are left alone. Returns the ids that are new. */
export async function insertJobs(sql: Sql | TransactionSql, jobs: NewJob[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    insert into job (kind, id, fairness_key, payload, run_at)
    select kind, id, coalesce("fairnessKey", ''), coalesce(payload, '{}'), now() + coalesce("runAfterMs", 0) * interval '1 millisecond'
    from ${recordset(sql, 'row', { kind: 'text', id: 'text', fairnessKey: 'text', payload: 'jsonb', runAfterMs: 'float8' }, jobs)}
    on conflict (kind, id) do nothing
    returning id`
  return new Set(rows.map(row => row.id))
}

/** Of so many that have been due longest, claims take turns between fairness keys. */
const dueLookedAtMin = 1_000

/**
 * Takes up to `limit` due jobs of a kind, and of those that have been due longest, first the first of each fairness key, so that one
 * account's hundreds of jobs don't stand before another's one.
 */
export const claimJobs = <P>(sql: Sql, kind: string, owner: string, leaseMs: number, limit: number) =>
  sql<Job<P>[]>`
    with due as (
      select id, greatest(run_at, coalesce(lease_until, run_at)) as due_at, fairness_key from job
      where kind = ${kind} and greatest(run_at, coalesce(lease_until, run_at)) <= now()
      order by greatest(run_at, coalesce(lease_until, run_at)) limit ${Math.max(dueLookedAtMin, limit * 20)}
    ), turns as (
      select id, due_at, row_number() over (partition by fairness_key order by due_at, id) as turn from due
    ), next as (
      select id, due_at, turn from turns order by turn, due_at, id limit ${limit * 2}
    ), free as (
      select job.id from next join job on job.kind = ${kind} and job.id = next.id
      where greatest(run_at, coalesce(lease_until, run_at)) <= now()
      order by turn, next.due_at, next.id limit ${limit} for update of job skip locked
    )
    update job set owner = ${owner}, lease_until = now() + ${leaseMs} * interval '1 millisecond', epoch = epoch + 1, tries = tries + 1
    from free where job.kind = ${kind} and job.id = free.id
    returning job.kind, job.id, job.fairness_key as "fairnessKey", job.payload, job.epoch, job.tries`

/** The jobs and the epochs they are held at, to select from. */
const held = (sql: Sql | TransactionSql, jobs: Job[]): Fragment =>
  recordset(sql, 'held', { kind: 'text', id: 'text', epoch: 'bigint' }, jobs)

/** Gives up leases that `owner` still holds, so that the jobs are due at once. */
export const releaseJobs = (sql: Sql, jobs: Job[], owner: string) => sql`
  update job set owner = null, lease_until = null
  from ${held(sql, jobs)}
  where job.kind = held.kind and job.id = held.id and job.epoch = held.epoch and owner = ${owner}`

/** Lengthens the leases still held at their epochs; returns the ids that are. A job that was given back is nobody's to hold. */
export async function renewJobs(sql: Sql, jobs: Job[], leaseMs: number): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    update job set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    from ${held(sql, jobs)}
    where job.kind = held.kind and job.id = held.id and job.epoch = held.epoch and owner is not null
    returning job.id`
  const renewed = new Set(rows.map(row => row.id))
  for (const job of jobs) if (renewed.has(job.id)) job.released = false
  return renewed
}

/** Of these jobs, the ids of those that somebody has taken over under a later epoch. */
export async function findTakenJobs(sql: Sql, jobs: Job[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select job.id from job join ${held(sql, jobs)} on job.kind = held.kind and job.id = held.id and job.epoch > held.epoch`
  return new Set(rows.map(row => row.id))
}

/** Locks the rows still held at their epochs, to the end of the transaction; returns the ids that are. */
export async function lockHeldJobs(sql: TransactionSql, jobs: Job[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select job.id from job
    join ${held(sql, jobs)}
      on job.kind = held.kind and job.id = held.id and job.epoch = held.epoch
    order by job.kind, job.id for update of job`
  return new Set(rows.map(row => row.id))
}

/** Ends jobs held at their epochs; returns the ids that were. */
export async function deleteHeldJobs(sql: Sql | TransactionSql, jobs: Job[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    delete from job
    using ${held(sql, jobs)}
    where job.kind = held.kind and job.id = held.id and job.epoch = held.epoch
    returning job.id`
  return markReleased(jobs, rows)
}

export type Rescheduled = { job: Job; runAfterMs: number; payload?: object; resetTries?: boolean }

/** Gives jobs held at their epochs back, due again after `runAfterMs`; returns the ids that were. */
export async function rescheduleHeldJobs(sql: Sql | TransactionSql, rescheduled: Rescheduled[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    update job set owner = null, lease_until = null, run_at = now() + held."runAfterMs" * interval '1 millisecond',
      payload = coalesce(held.payload, job.payload), tries = case when held."resetTries" then 0 else job.tries end
    from ${recordset(
      sql,
      'held',
      { kind: 'text', id: 'text', epoch: 'bigint', runAfterMs: 'float8', payload: 'jsonb', resetTries: 'boolean' },
      rescheduled.map(({ job: { kind, id, epoch }, ...again }) => ({ kind, id, epoch, ...again })),
    )}
    where job.kind = held.kind and job.id = held.id and job.epoch = held.epoch
    returning job.id`
  return markReleased(
    rescheduled.map(({ job }) => job),
    rows,
  )
}

function markReleased(jobs: Job[], rows: { id: string }[]): Set<string> {
  const ids = new Set(rows.map(row => row.id))
  for (const job of jobs) if (ids.has(job.id)) job.released = true
  return ids
}

/** Makes jobs due now that wait for later and that nobody holds. */
export async function runJobsNow(sql: Sql | TransactionSql, kind: string, ids: string[]): Promise<void> {
  await sql`
    update job set run_at = now()
    where kind = ${kind} and id = any(${ids}::text[]) and run_at > now() and coalesce(lease_until, '-infinity') <= now()`
}

/** Takes jobs over from whoever holds them, under a new epoch; the old holder can write no more. Returns those that exist. */
export const stealJobs = <P>(sql: TransactionSql, kind: string, ids: string[], owner: string, leaseMs: number) =>
  sql<Job<P>[]>`
    update job set owner = ${owner}, lease_until = now() + ${leaseMs} * interval '1 millisecond', epoch = epoch + 1
    where kind = ${kind} and id = any(${ids}::text[])
    returning kind, id, fairness_key as "fairnessKey", payload, epoch, tries`

/** Jobs due and not leased, by kind: what a scaler looks at. */
export const countWaitingJobs = (sql: Sql) =>
  sql<{ kind: string; waiting: number }[]>`
    select kind, count(*) as waiting from job where greatest(run_at, coalesce(lease_until, run_at)) <= now() group by kind`
