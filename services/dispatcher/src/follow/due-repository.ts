import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import type { DueAttempt } from '../attempt/attempt'
import { attemptColumns } from '../attempt/attempt-repository'
import { attemptJob } from '../attempt/jobs'
import type { OrderEvent } from '../attempt/order'
import type { Cadence } from '../makers/connector'

/** When an attempt is asked about again if nothing else is decided, by its maker. */
export type MakerCadence = { maker: string; poll: Cadence; lookUp: Cadence }

type TakenRow = DueAttempt & { jobId: string; epoch: number; tries: number; fairnessKey: string }

/**
 * Takes up to `limit` attempts whose time has come. Asking about one harms nothing, so there is no lease: its next time is set at once,
 * and a poll that changes nothing writes nothing more. Only a sender's lease that ended is taken over, under a new epoch. One whose
 * maker is not configured is due again after `unknownMakerMs`; a job without an attempt is deleted.
 */
export async function takeDueAttempts(
  sql: Sql,
  cadences: MakerCadence[],
  { limit, overdueMs, unknownMakerMs }: { limit: number; overdueMs: number; unknownMakerMs: number },
): Promise<{ attempt: DueAttempt; job: Job }[]> {
  const rows = await sql<TakenRow[]>`
    with cadence as (
      select * from ${recordset(
        sql,
        'cadence',
        {
          maker: 'text',
          pollFirstMs: 'float8',
          pollGrowth: 'float8',
          pollMaxMs: 'float8',
          lookUpFirstMs: 'float8',
          lookUpGrowth: 'float8',
          lookUpMaxMs: 'float8',
        },
        cadences.map(({ maker, poll, lookUp }) => ({
          maker,
          pollFirstMs: poll.firstMs,
          pollGrowth: poll.growth,
          pollMaxMs: poll.maxMs,
          lookUpFirstMs: lookUp.firstMs,
          lookUpGrowth: lookUp.growth,
          lookUpMaxMs: lookUp.maxMs,
        })),
      )}
    ), due as (
      select id, epoch, tries, lease_until, payload->>'calledBackAs' as called_back_as,
        payload ? 'uploading' as uploading from job
      where kind = ${attemptJob} and greatest(run_at, coalesce(lease_until, run_at)) <= now()
      order by greatest(run_at, coalesce(lease_until, run_at)) limit ${limit} for update skip locked
    ), found as (
      select due.id as due_id, due.called_back_as, due.uploading,
        case when attempt.state = 'unknown' and due.called_back_as is not null then ${overdueMs}::float8 end as named_wait_ms,
        due.epoch + (due.lease_until is not null)::int as new_epoch, due.tries + 1 as new_tries, attempt.*,
        case
          when attempt.state = 'overdue' then ${overdueMs}::float8
          when attempt.state = 'accepted' then least("pollMaxMs", "pollFirstMs" * power("pollGrowth", least(due.tries, 30) + 1))
          when attempt.absence_proves_at > now() then
            least("lookUpMaxMs", "lookUpFirstMs" * power("lookUpGrowth", least(due.tries, 30) + 1),
                  extract(epoch from attempt.absence_proves_at - now()) * 1000 + 50)
          else least("lookUpMaxMs", "lookUpFirstMs" * power("lookUpGrowth", least(due.tries, 30) + 1))
        end as plain_wait_ms
      from due left join attempt on attempt.id = due.id left join cadence on cadence.maker = attempt.maker
    ), taken as (
      update job set owner = null, lease_until = null, epoch = new_epoch, tries = new_tries,
        run_at = now() + coalesce(least(plain_wait_ms, named_wait_ms), ${unknownMakerMs}) * interval '1 millisecond'
      from found where job.kind = ${attemptJob} and job.id = found.due_id
      returning found.*
    )
    select due_id as "jobId", new_epoch as epoch, new_tries as tries, coalesce(account_id, '') as "fairnessKey",
           ${attemptColumns(sql)},
           sender_lost as "senderLost", operator_accepted as "operatorAccepted", called_back_as as "calledBackAs",
           uploading,
           absence_proves_at <= now() as "absenceProves",
           coalesce(extract(epoch from now() - accepted_at) * 1000, 0)::float8 as "acceptedMsAgo", absence_count as "absenceCount",
           (extract(epoch from now() - absence_first_at) * 1000)::float8 as "absenceFirstMsAgo",
           (extract(epoch from now() - absence_last_at) * 1000)::float8 as "absenceLastMsAgo"
    from taken`
  return rows.map(({ jobId, epoch, tries, fairnessKey, ...attempt }) => ({
    attempt,
    job: { kind: attemptJob, id: jobId, fairnessKey, payload: {}, epoch, tries },
  }))
}

/** A maker's own words, under its signature: the submit of this attempt is known there under that id. */
export type CalledBack = { attemptId: string; maker: string; makerTaskId: string }

/**
 * Keeps, with its job, the id that its maker named for an attempt whose own is not known; the last one named stands. Any other attempt is left alone.
 * Whoever holds the job goes on holding it.
 */
export async function keepCalledBackIds(sql: Sql, calledBack: CalledBack[]): Promise<void> {
  await sql`
    with named as (
      select job.id, given."makerTaskId"
      from ${recordset(sql, 'given', { attemptId: 'text', maker: 'text', makerTaskId: 'text' }, calledBack)}
      join attempt on attempt.id = given."attemptId" and attempt.maker = given.maker
        and attempt.maker_task_id is null and attempt.state in ('sending', 'unknown')
      join job on job.kind = ${attemptJob} and job.id = attempt.id
      order by job.id for update of job
    )
    update job set payload = job.payload || jsonb_build_object('calledBackAs', named."makerTaskId")
    from named where job.kind = ${attemptJob} and job.id = named.id`
}

/** The event that brought the order of an attempt whose maker's answer is not known. */
export async function findOrderEvent(sql: Sql, id: string): Promise<OrderEvent | undefined> {
  const [row] = await sql<
    OrderEvent[]
  >`select order_topic as topic, order_event as bytes from attempt where id = ${id} and order_event is not null`
  return row
}
