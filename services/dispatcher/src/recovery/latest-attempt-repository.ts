import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { State } from '../attempt/attempt'
import { generationMsMaxColumn } from '../attempt/attempt-repository'
import type { Delivery } from '../delivery/price-delivery'

export type LatestAttempt = {
  id: string
  taskId: string
  accountId: string
  number: number
  provider: string
  state: State
  code: string | null
  cause: string | null
  generationMsMax: number
  traceparent: string | null
  outputKey: string | null
  outputBytes: number | null
  outputSha256: string | null
  delivery: Delivery | null
  dueCredits: number | null
  /** Null where it was deleted, or there is none. */
  outputLeftMs: number | null
  updatedAt: Date
  acceptedAt: Date | null
  reviewSince: Date | null
  endedAt: Date | null
}

/**
 * The last attempt of each of these tasks. It is read only after those that exist are locked: a statement that waits for a row sees it as
 * it was left, but not the successor that was inserted with that change, and would take the refusal before the successor for the end.
 */
export async function lockLatestAttempts(sql: TransactionSql, taskIds: string[]): Promise<LatestAttempt[]> {
  await sql`select from attempt where task_id = any(${taskIds}::text[]) order by id for share`
  return sql<LatestAttempt[]>`
    select id, task_id as "taskId", account_id as "accountId", number, provider, state, code, cause, ${generationMsMaxColumn(sql)}, traceparent, output_key as "outputKey",
           output_bytes as "outputBytes", output_sha256 as "outputSha256", delivery, due_credits as "dueCredits",
           (extract(epoch from output_expires_at - now()) * 1000)::float8 as "outputLeftMs", updated_at as "updatedAt", accepted_at as "acceptedAt",
           review_since as "reviewSince", ended_at as "endedAt"
    from attempt
    where task_id = any(${taskIds}::text[])
      and not exists (select from attempt as later where later.task_id = attempt.task_id and later.number > attempt.number)
    order by id`
}

export type ChangedAttempt = { id: string; taskId: string }

/** Attempts behind `after` that changed since then. Their ids sort by the age of their orders. */
export const listAttemptsSince = (sql: Sql | TransactionSql, { since, after, rowsMax }: { since: Date; after: string; rowsMax: number }) =>
  sql<ChangedAttempt[]>`
    select id, task_id as "taskId" from attempt where id > ${after} and updated_at >= ${since} order by id limit ${rowsMax}`
