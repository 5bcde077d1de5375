import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import { recordset } from '@filmgate/kit/recordset'
import type { Contradiction } from './reservation'

/** A contradiction seen before is left as it was first seen. */
export const insertContradictions = (sql: TransactionSql, contradictions: Contradiction[], nowMs: number) => sql`
  insert into contradiction (task_id, verdict, account_id, state, detail, seen_at)
  select "taskId", verdict, "accountId", state, detail, to_timestamp(${nowMs}::float8 / 1000)
  from ${recordset(sql, 'row', { taskId: 'text', verdict: 'text', accountId: 'text', state: 'reservation_state', detail: 'text' }, contradictions)}
  on conflict (task_id, verdict) do nothing`

export type ContradictionRow = {
  taskId: string
  verdict: string
  state: string | null
  detail: string | null
  seenAt: Date
  acknowledgedAt: Date | null
  acknowledgedReason: string | null
}

export const findContradictions = (sql: Sql, taskId: string) => sql<ContradictionRow[]>`
  select task_id as "taskId", verdict, state, detail, seen_at as "seenAt", acknowledged_at as "acknowledgedAt", acknowledged_reason as "acknowledgedReason"
  from contradiction where task_id = ${taskId} order by seen_at, verdict`

/** Returns how many of the task's contradictions were not acknowledged before. */
export async function acknowledgeContradictions(sql: Sql, taskId: string, reason: string): Promise<number> {
  const { count } = await sql`
    update contradiction set acknowledged_at = now(), acknowledged_reason = ${reason}
    where task_id = ${taskId} and acknowledged_at is null`
  return count
}
