import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Attempt } from '../attempt/attempt'
import { attemptColumns, type Basis, costColumns } from '../attempt/attempt-repository'
import { attemptJob, copyJob, recopyJob } from '../attempt/jobs'
import type { Delivery } from '../delivery/price-delivery'
import type { CopyPayload } from '../output/decide-copy'

/** The attempt of a task that is held for review, locked. Whoever changes it locks its job before it, so lock the job first. */
export const findReview = (sql: TransactionSql | Sql, taskId: string) =>
  sql<Attempt[]>`
    select ${attemptColumns(sql)}
    from attempt where task_id = ${taskId} and review_since is not null`

export type ReviewDecision = {
  attemptId: string
  taskId: string
  decision: 'accept' | 'refund' | 'retry'
  providerTaskId: string | null
  reason: string
  /** Null where an earlier version was given no name. */
  by: string | null
  /** The bulk end that it is a part of; null where it was made alone. */
  bulkId: number | null
}

export async function insertReviewDecisions(sql: TransactionSql, decisions: ReviewDecision[]): Promise<void> {
  await sql`
    insert into review_decision (attempt_id, task_id, decision, provider_task_id, reason, decided_by, bulk_id)
    select "attemptId", "taskId", decision, "providerTaskId", reason, by, "bulkId"
    from ${recordset(
      sql,
      'row',
      { attemptId: 'text', taskId: 'text', decision: 'text', providerTaskId: 'text', reason: 'text', by: 'text', bulkId: 'bigint' },
      decisions,
    )}`
}

export const findReviewDecisions = (sql: Sql, taskId: string) =>
  sql<(ReviewDecision & { decidedAt: Date })[]>`
    select attempt_id as "attemptId", task_id as "taskId", decision, provider_task_id as "providerTaskId", reason, decided_by as by,
           bulk_id as "bulkId", decided_at as "decidedAt"
    from review_decision where task_id = ${taskId} order by id`

/** What is not given is any. */
export type ReviewFilter = { provider?: string; from?: Date; to?: Date; cause?: string }

/** In the `where` of a statement about attempts: those in review that fit. The time is that at which the review was opened. */
export const fits = (sql: Sql | TransactionSql, { provider = null, from = null, to = null, cause = null }: Nullable<ReviewFilter>) => sql`
  review_since is not null and (${provider}::text is null or provider = ${provider})
  and (${from}::timestamptz is null or review_since >= ${from}) and (${to}::timestamptz is null or review_since < ${to})
  and (${cause}::text is null or strpos(lower(cause), lower(${cause})) > 0)`

type Nullable<T> = { [K in keyof T]?: T[K] | null }

/** The provider's id of an attempt: its own, or the one that a verified callback told and that a poll is to confirm. */
export const knownId = (sql: Sql | TransactionSql) => sql`
  coalesce(provider_task_id, (select payload->>'calledBackAs' from job where job.kind = ${attemptJob} and job.id = attempt.id))`

export type OpenReview = {
  taskId: string
  accountId: string
  attemptId: string
  provider: string
  model: string
  credits: number | null
  knownId: string | null
  state: string
  cause: string | null
  reviewSince: Date
}

/** Oldest first; `total`: how many there are. */
export const findOpenReviews = (sql: Sql, filter: ReviewFilter, rowsMax: number) =>
  sql<(OpenReview & { total: number })[]>`
    select task_id as "taskId", account_id as "accountId", id as "attemptId", provider, model, credits, ${knownId(sql)} as "knownId",
           state, cause, review_since as "reviewSince", count(*) over () as total
    from attempt where ${fits(sql, filter)} order by review_since limit ${rowsMax}`

export type ProviderAttempt = Pick<Attempt, 'id' | 'taskId' | 'accountId' | 'provider' | 'state'> & {
  providerTaskId: string
  createdAt: Date
}

/** Attempts with this id at a provider, newest first. Two providers may give the same one. */
export const findAttemptsAtProvider = (sql: Sql, providerTaskId: string) =>
  sql<ProviderAttempt[]>`
    select id, task_id as "taskId", account_id as "accountId", provider, state, provider_task_id as "providerTaskId", created_at as "createdAt"
    from attempt where provider_task_id = ${providerTaskId} order by created_at desc limit ${atProviderMax}`

const atProviderMax = 20

/** By provider: how many attempts are held for review, how many of them for over an hour and over a day, and the age in seconds of the oldest. */
export const measureReviews = (sql: Sql) =>
  sql<{ provider: string; count: number; overHour: number; overDay: number; oldestSeconds: number }[]>`
    select provider, count(*) as count, count(*) filter (where review_since < now() - interval '1 hour') as "overHour",
           count(*) filter (where review_since < now() - interval '1 day') as "overDay",
           extract(epoch from now() - min(review_since))::float8 as "oldestSeconds"
    from attempt where review_since is not null group by provider`

export type ShownAttempt = Attempt & {
  code: string | null
  cause: string | null
  createdAt: Date
  acceptedAt: Date | null
  reviewSince: Date | null
  endedAt: Date | null
  outputBytes: number | null
  outputSha256: string | null
  delivery: Delivery | null
  dueCredits: number | null
  /** Completed, and not past its retention. */
  outputKept: boolean
  credits: number | null
  costMicroUsd: number | null
  basis: Basis
  phase: string | null
  queuePosition: number | null
  percent: number | null
  progressAt: Date | null
  unclearSince: Date | null
  /** What a failed copy of its output waits for. */
  waiting: CopyPayload['waiting'] | null
}

export const findAttemptsOfTask = (sql: Sql, taskId: string) =>
  sql<ShownAttempt[]>`
    select ${attemptColumns(sql)}, code, cause, created_at as "createdAt",
           accepted_at as "acceptedAt", review_since as "reviewSince", ended_at as "endedAt", output_bytes as "outputBytes", output_sha256 as "outputSha256",
           state = 'completed' and output_expires_at is not null as "outputKept",
           delivery, due_credits as "dueCredits", credits, ${costColumns(sql)}, phase, queue_position as "queuePosition", percent, progress_at as "progressAt",
           unclear_since as "unclearSince",
           (select payload->'waiting' from job where job.id = attempt.id and kind in (${copyJob}, ${recopyJob}) limit 1) as waiting
    from attempt where task_id = ${taskId} order by number`
