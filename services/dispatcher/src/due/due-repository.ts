import type { Fragment, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { DueAttempt } from '../attempt/attempt'
import { attemptColumns } from '../attempt/attempt-repository'
import { attemptJob } from '../attempt/jobs'
import type { Decision } from './poll-schedule'

/**
 * A locked job that is due, with its attempt; null where there is none. `nowMs`: the database's clock, one for the
 * whole transaction.
 */
export type ClaimedJob = Omit<DueAttempt, 'id'> & {
  jobId: string
  id: string | null
  epoch: number
  tries: number
  hasLease: boolean
  nowMs: number
  /** When it first came due. */
  waitingSinceMs: number
  /** The rate gave it a start, which has come. */
  hasStart: boolean
  absenceProvesInMs: number
}

/**
 * Locks up to `limit` jobs that are due and that no other dispatcher has locked, by due time, to the end of the
 * transaction. Attempts are looked up one by one: where the limit is a parameter, Postgres plans to join a tenth of the
 * table.
 */
export const claimDueJobs = (sql: TransactionSql, limit: number) => sql<ClaimedJob[]>`
  with due as (
    select id, epoch, tries, lease_until, payload, greatest(run_at, coalesce(lease_until, run_at)) as due_at from job
    where kind = ${attemptJob} and greatest(run_at, coalesce(lease_until, run_at)) <= now()
    order by greatest(run_at, coalesce(lease_until, run_at)) limit ${limit} for update skip locked
  )
  select due.id as "jobId", epoch, tries, lease_until is not null as "hasLease", ${msOf(sql, 'now()')} as "nowMs",
    ${msOf(sql, "coalesce((payload->>'dueAt')::timestamptz, due_at)")} as "waitingSinceMs",
    payload ? 'hasTurn' as "hasStart", payload ? 'uploading' as uploading, payload->>'calledBackAs' as "calledBackAs", found.*
  from due left join lateral (
    select ${attemptColumns(sql)}, sender_lost as "senderLost", operator_accepted as "operatorAccepted", created_at as "createdAt",
      absence_proves_at <= now() as "absenceProves", ${msOf(sql, 'absence_proves_at - now()')} as "absenceProvesInMs",
      absence_count as "absenceCount", ${msOf(sql, 'now() - absence_first_at')} as "absenceFirstMsAgo",
      ${msOf(sql, 'now() - absence_last_at')} as "absenceLastMsAgo", coalesce(${msOf(sql, 'now() - accepted_at')}, 0) as "acceptedMsAgo",
      ${msOf(sql, 'now() - unclear_since')} as "unclearMsAgo", cancel_asked_at is not null as "cancelAsked",
      phase, queue_position as "queuePosition", percent
    from attempt where attempt.id = due.id limit 1
  ) as found on true
  order by due_at`

const msOf = (sql: TransactionSql, time: string): Fragment => sql`(extract(epoch from ${sql.unsafe(time)}) * 1000)::float8`

export type Rescheduled = Pick<ClaimedJob, 'jobId' | 'waitingSinceMs'> & Decision

/**
 * Sets when claimed jobs are due again. A poll harms nothing, so that it takes no lease. A sender's lease that ended is
 * taken over under a new epoch. What waits keeps since when (`dueAt`), and whether it has a start of its own
 * (`hasTurn`).
 */
export const rescheduleClaimedJobs = (sql: TransactionSql, jobs: Rescheduled[]) => sql`
  update job set run_at = to_timestamp("runAtMs" / 1000), owner = null, lease_until = null,
    epoch = epoch + (lease_until is not null)::int, tries = tries + (decision = 'poll')::int,
    payload = case decision
      when 'poll' then payload - 'dueAt' - 'hasTurn'
      when 'has-start' then payload || jsonb_build_object('dueAt', to_timestamp("waitingSinceMs" / 1000), 'hasTurn', true)
      else payload - 'hasTurn' || jsonb_build_object('dueAt', to_timestamp("waitingSinceMs" / 1000))
    end
  from ${recordset<Rescheduled>(sql, 'given', { jobId: 'text', decision: 'text', runAtMs: 'float8', waitingSinceMs: 'float8' }, jobs)}
  where job.kind = ${attemptJob} and job.id = "jobId"`
