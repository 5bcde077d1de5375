import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import type { Attempt } from '../attempt/attempt'

/** The attempt of a task that is held for review, locked. Its job is locked before it by whoever moves it, so lock that first. */
export const findReview = (sql: TransactionSql | Sql, taskId: string) =>
  sql<Attempt[]>`
    select id, task_id as "taskId", account_id as "accountId", number, maker, maker_model as "makerModel", model, state,
           maker_task_id as "makerTaskId", echoed, traceparent, output_key as "outputKey"
    from attempt where task_id = ${taskId} and review_since is not null`

export type ReviewDecision = {
  attemptId: string
  taskId: string
  decision: 'accept' | 'refund' | 'retry'
  makerTaskId: string | null
  reason: string
  /** Null where an earlier version was told no name. */
  by: string | null
}

export async function insertReviewDecision(
  sql: TransactionSql,
  { attemptId, taskId, decision, makerTaskId, reason, by }: ReviewDecision,
): Promise<void> {
  await sql`
    insert into review_decision (attempt_id, task_id, decision, maker_task_id, reason, decided_by)
    values (${attemptId}, ${taskId}, ${decision}, ${makerTaskId}, ${reason}, ${by})`
}

export const findReviewDecisions = (sql: Sql, taskId: string) =>
  sql<(ReviewDecision & { decidedAt: Date })[]>`
    select attempt_id as "attemptId", task_id as "taskId", decision, maker_task_id as "makerTaskId", reason, decided_by as by, decided_at as "decidedAt"
    from review_decision where task_id = ${taskId} order by id`

export type OpenReview = {
  taskId: string
  accountId: string
  attemptId: string
  maker: string
  state: string
  cause: string | null
  reviewSince: Date
}

/** Oldest first. */
export const findOpenReviews = (sql: Sql, rowsMax: number) =>
  sql<OpenReview[]>`
    select task_id as "taskId", account_id as "accountId", id as "attemptId", maker, state, cause, review_since as "reviewSince"
    from attempt where review_since is not null order by review_since limit ${rowsMax}`
