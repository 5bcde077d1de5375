import type { Job } from '@filmgate/kit/jobs-repository'
import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import { recordset } from '@filmgate/kit/recordset'
import type { Cadence } from '../makers/connector'
import type { Attempt, DueAttempt } from './attempt'
import { attemptJob } from './jobs'
import type { OrderEvent } from './order'

export type NewAttempt = {
  id: string
  taskId: string
  accountId: string
  number: number
  maker: string
  makerModel: string
  model: string
  state: 'sending' | 'refused'
  traceparent: string | null
  /** From now until a look-up that finds nothing proves something. */
  absenceAfterMs: number
  code: string | null
  cause: string | null
  source: OrderEvent
}

/**
 * Inserts attempts, and for those to be sent the job they are born with, leased to `owner`: one statement, so one round trip. Attempts
 * whose task has one of that number already are left alone: their order was delivered before. Returns the ids that are new.
 */
export async function insertAttempts(
  sql: Sql | TransactionSql,
  attempts: NewAttempt[],
  { owner, leaseMs }: { owner: string; leaseMs: number },
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    with fresh as (
      insert into attempt (id, task_id, account_id, number, maker, maker_model, model, state, traceparent, absence_proves_at, code, cause,
                           order_topic, order_event, ended_at)
      select id, "taskId", "accountId", number, maker, "makerModel", model, state, traceparent, now() + "absenceAfterMs" * interval '1 millisecond',
             code, cause, case when state = 'sending' then "orderTopic" end, case when state = 'sending' then decode("orderEvent", 'hex') end,
             case when state = 'refused' then now() end
      from ${recordset(
        sql,
        'row',
        {
          id: 'text',
          taskId: 'text',
          accountId: 'text',
          number: 'int',
          maker: 'text',
          makerModel: 'text',
          model: 'text',
          state: 'text',
          traceparent: 'text',
          absenceAfterMs: 'float8',
          code: 'text',
          cause: 'text',
          orderTopic: 'text',
          orderEvent: 'text',
        },
        attempts.map(({ source, ...attempt }) => ({
          ...attempt,
          orderTopic: source.topic,
          orderEvent: Buffer.from(source.bytes).toString('hex'),
        })),
      )}
      on conflict (task_id, number) do nothing
      returning id, account_id, state
    ), born as (
      insert into job (kind, id, fairness_key, owner, lease_until, epoch, tries)
      select ${attemptJob}, id, account_id, ${owner}, now() + ${leaseMs}::float8 * interval '1 millisecond', 1, 1 from fresh where state = 'sending'
    )
    select id from fresh`
  return new Set(rows.map(row => row.id))
}

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
      select id, epoch, tries, lease_until from job
      where kind = ${attemptJob} and greatest(run_at, coalesce(lease_until, run_at)) <= now()
      order by greatest(run_at, coalesce(lease_until, run_at)) limit ${limit} for update skip locked
    ), found as (
      select due.id as due_id, due.epoch + (due.lease_until is not null)::int as new_epoch, due.tries + 1 as new_tries, attempt.*,
        case
          when attempt.state = 'overdue' then ${overdueMs}::float8
          when attempt.state = 'accepted' then least("pollMaxMs", "pollFirstMs" * power("pollGrowth", least(due.tries, 30) + 1))
          when attempt.absence_proves_at > now() then
            least("lookUpMaxMs", "lookUpFirstMs" * power("lookUpGrowth", least(due.tries, 30) + 1),
                  extract(epoch from attempt.absence_proves_at - now()) * 1000 + 50)
          else least("lookUpMaxMs", "lookUpFirstMs" * power("lookUpGrowth", least(due.tries, 30) + 1))
        end as wait_ms
      from due left join attempt on attempt.id = due.id left join cadence on cadence.maker = attempt.maker
    ), taken as (
      update job set owner = null, lease_until = null, epoch = new_epoch, tries = new_tries,
        run_at = now() + coalesce(wait_ms, ${unknownMakerMs}) * interval '1 millisecond'
      from found where job.kind = ${attemptJob} and job.id = found.due_id
      returning found.*
    )
    select due_id as "jobId", new_epoch as epoch, new_tries as tries, coalesce(account_id, '') as "fairnessKey",
           id, task_id as "taskId", account_id as "accountId", number, maker, maker_model as "makerModel", model, state,
           maker_task_id as "makerTaskId", echoed, traceparent, output_key as "outputKey",
           sender_lost as "senderLost", operator_accepted as "operatorAccepted", absence_proves_at <= now() as "absenceProves",
           coalesce(extract(epoch from now() - accepted_at) * 1000, 0)::float8 as "acceptedMsAgo", absence_count as "absenceCount",
           (extract(epoch from now() - absence_first_at) * 1000)::float8 as "absenceFirstMsAgo",
           (extract(epoch from now() - absence_last_at) * 1000)::float8 as "absenceLastMsAgo"
    from taken`
  return rows.map(({ jobId, epoch, tries, fairnessKey, ...attempt }) => ({
    attempt,
    job: { kind: attemptJob, id: jobId, fairnessKey, payload: {}, epoch, tries },
  }))
}

/** The event that brought the order of an attempt whose maker's answer is not known. */
export async function findOrderEvent(sql: Sql, id: string): Promise<OrderEvent | undefined> {
  const [row] = await sql<
    OrderEvent[]
  >`select order_topic as topic, order_event as bytes from attempt where id = ${id} and order_event is not null`
  return row
}

/** `copyingMsAgo`: since its copy was tried first, or an operator had it tried anew. */
export type CopyingAttempt = Attempt & { copyingMsAgo: number; inReview: boolean }

export async function findCopying(sql: Sql, id: string): Promise<CopyingAttempt | undefined> {
  const [row] = await sql<CopyingAttempt[]>`
    select id, task_id as "taskId", account_id as "accountId", number, maker, maker_model as "makerModel", model, state,
           maker_task_id as "makerTaskId", echoed, traceparent, output_key as "outputKey",
           (extract(epoch from now() - coalesce(copying_since, updated_at)) * 1000)::float8 as "copyingMsAgo",
           review_since is not null as "inReview"
    from attempt where id = ${id} and state = 'copying'`
  return row
}

/** Age in seconds of the oldest attempt held for review, and how many there are. */
export async function measureReviews(sql: Sql): Promise<{ count: number; oldestSeconds: number }> {
  const [row] = await sql<{ count: number; oldestSeconds: number }[]>`
    select count(*) as count, coalesce(extract(epoch from now() - min(review_since)), 0)::float8 as "oldestSeconds"
    from attempt where review_since is not null`
  return row ?? { count: 0, oldestSeconds: 0 }
}

export type ShownAttempt = Attempt & {
  code: string | null
  cause: string | null
  createdAt: Date
  acceptedAt: Date | null
  reviewSince: Date | null
  endedAt: Date | null
  outputBytes: number | null
  outputSha256: string | null
}

export const findAttemptsOfTask = (sql: Sql, taskId: string) =>
  sql<ShownAttempt[]>`
    select id, task_id as "taskId", account_id as "accountId", number, maker, maker_model as "makerModel", model, state,
           maker_task_id as "makerTaskId", echoed, traceparent, output_key as "outputKey", code, cause, created_at as "createdAt",
           accepted_at as "acceptedAt", review_since as "reviewSince", ended_at as "endedAt", output_bytes as "outputBytes", output_sha256 as "outputSha256"
    from attempt where task_id = ${taskId} order by number`
