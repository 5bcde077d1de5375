import type { Fragment } from '@filmgate/kit/outbox'
import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import type { Columns, Move } from './move'

/**
 * Moves attempts that are still in the state they were read in, and their jobs, where the lease is still held; inserts of `events` those
 * whose subject is such a job. One statement, so one round trip; the locks of the jobs are the fence. Returns the ids of those jobs.
 */
export async function moveAttempts(sql: Sql | TransactionSql, moves: Move[], events: Fragment): Promise<Set<string>> {
  const column = <K extends keyof Columns>(name: K) => moves.map(({ columns }) => columns?.[name] ?? null)
  // An array of booleans would reach Postgres as one boolean.
  const bit = (value: boolean | undefined) => (value === undefined ? null : Number(value))
  const again = moves.map(({ after }) => (after.next === 'again' ? after : undefined))
  const rows = await sql<{ jobId: string }[]>`
    with held as (
      select move.*
      from unnest(
        ${moves.map(({ job }) => job.kind)}::text[], ${moves.map(({ job }) => job.id)}::text[], ${moves.map(({ job }) => job.epoch)}::bigint[],
        ${again.map(one => bit(one !== undefined))}::int[], ${again.map(one => one?.afterMs ?? null)}::float8[],
        ${again.map(one => (one?.payload ? JSON.stringify(one.payload) : null))}::text[], ${again.map(one => bit(one?.resetTries))}::int[],
        ${moves.map(({ attempt }) => attempt.id)}::text[], ${moves.map(({ attempt }) => attempt.state)}::text[], ${moves.map(move => move.to ?? move.attempt.state)}::text[],
        ${moves.map(move => bit(move.to !== undefined || move.columns !== undefined))}::int[],
        ${column('makerTaskId')}::text[], ${column('code')}::text[], ${column('cause')}::text[], ${column('absenceAfterMs')}::float8[],
        ${moves.map(({ columns }) => bit(columns?.senderLost))}::int[], ${moves.map(({ columns }) => bit(columns?.echoed))}::int[],
        ${column('outputKey')}::text[], ${column('outputBytes')}::bigint[], ${column('outputSha256')}::text[], ${column('outputRetentionMs')}::float8[])
        as move (job_kind, job_id, epoch, again, after_ms, payload, reset, attempt_id, old_state, state, changes, maker_task_id, code, cause,
                 absence_after_ms, sender_lost, echoed, output_key, output_bytes, output_sha256, output_retention_ms)
      join job on job.kind = move.job_kind and job.id = move.job_id and job.epoch = move.epoch
      join attempt on attempt.id = move.attempt_id and attempt.state = move.old_state
      order by job.kind, job.id for update of job, attempt
    ), rescheduled as (
      update job set owner = null, lease_until = null, run_at = now() + held.after_ms * interval '1 millisecond',
        payload = coalesce(held.payload::jsonb, job.payload), tries = case when held.reset = 1 then 0 else job.tries end
      from held where held.again = 1 and job.kind = held.job_kind and job.id = held.job_id
    ), ended as (
      delete from job using held where held.again = 0 and job.kind = held.job_kind and job.id = held.job_id
    ), changed as (
      update attempt set
        state = held.state,
        maker_task_id = coalesce(held.maker_task_id, attempt.maker_task_id),
        code = coalesce(held.code, attempt.code),
        cause = coalesce(held.cause, attempt.cause),
        absence_proves_at = coalesce(now() + held.absence_after_ms * interval '1 millisecond', attempt.absence_proves_at),
        echoed = coalesce(held.echoed::bool, attempt.echoed),
        sender_lost = coalesce(held.sender_lost::bool, attempt.sender_lost),
        order_event = case when held.state in ('sending', 'unknown') then attempt.order_event end,
        output_key = coalesce(held.output_key, attempt.output_key),
        output_bytes = coalesce(held.output_bytes, attempt.output_bytes),
        output_sha256 = coalesce(held.output_sha256, attempt.output_sha256),
        output_expires_at = coalesce(now() + held.output_retention_ms * interval '1 millisecond', attempt.output_expires_at),
        accepted_at = case when held.state = 'accepted' then coalesce(attempt.accepted_at, now()) else attempt.accepted_at end,
        review_since = case when held.state in ('unknown', 'overdue') then coalesce(attempt.review_since, now()) end,
        ended_at = case when held.state in ('refused', 'completed', 'failed') then now() end,
        updated_at = now()
      from held where held.changes = 1 and attempt.id = held.attempt_id
    ), sent as (${events} where event.subject in (select job_id from held))
    select job_id as "jobId" from held`
  return new Set(rows.map(row => row.jobId))
}
