import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Attempt } from '../attempt/attempt'
import { attemptColumns } from '../attempt/attempt-repository'
import { copyJob, recopyJob } from '../attempt/jobs'
import { type Basis, costColumns } from '../cost/cost-repository'
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
}

export async function insertReviewDecision(
  sql: TransactionSql,
  { attemptId, taskId, decision, providerTaskId, reason, by }: ReviewDecision,
): Promise<void> {
  await sql`
    insert into review_decision (attempt_id, task_id, decision, provider_task_id, reason, decided_by)
    values (${attemptId}, ${taskId}, ${decision}, ${providerTaskId}, ${reason}, ${by})`
}

export const findReviewDecisions = (sql: Sql, taskId: string) =>
  sql<(ReviewDecision & { decidedAt: Date })[]>`
    select attempt_id as "attemptId", task_id as "taskId", decision, provider_task_id as "providerTaskId", reason, decided_by as by, decided_at as "decidedAt"
    from review_decision where task_id = ${taskId} order by id`

export type OpenReview = {
  taskId: string
  accountId: string
  attemptId: string
  provider: string
  state: string
  cause: string | null
  reviewSince: Date
}

/** Oldest first. */
export const findOpenReviews = (sql: Sql, rowsMax: number) =>
  sql<OpenReview[]>`
    select task_id as "taskId", account_id as "accountId", id as "attemptId", provider, state, cause, review_since as "reviewSince"
    from attempt where review_since is not null order by review_since limit ${rowsMax}`

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
