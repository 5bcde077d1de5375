import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Contradiction } from '../books/reservation'

/** A contradiction that comes again is open again, and its earlier acknowledgement is kept. One statement may bring the same one several times. */
export const insertContradictions = (sql: TransactionSql, contradictions: Contradiction[], nowMs: number) => sql`
  insert into contradiction as known (task_id, verdict, account_id, state, detail, seen_at, times)
  select distinct on ("taskId", verdict) "taskId", verdict, "accountId", state, detail, to_timestamp(${nowMs}::float8 / 1000),
         count(*) over (partition by "taskId", verdict)
  from ${recordset(sql, 'row', { taskId: 'text', verdict: 'text', accountId: 'text', state: 'reservation_state', detail: 'text' }, contradictions)}
  order by "taskId", verdict
  on conflict (task_id, verdict) do update set
    account_id = excluded.account_id, state = excluded.state, detail = excluded.detail, seen_at = excluded.seen_at,
    times = known.times + excluded.times,
    acknowledgements = case when known.acknowledged_at is null then known.acknowledgements
      else known.acknowledgements || jsonb_build_object('at', known.acknowledged_at, 'reason', known.acknowledged_reason, 'by', known.acknowledged_by) end,
    acknowledged_at = null, acknowledged_reason = null, acknowledged_by = null`

export type ContradictionRow = {
  taskId: string
  verdict: string
  state: string | null
  detail: string | null
  /** When it came last, and how often it came. */
  seenAt: Date
  times: number
  acknowledgedAt: Date | null
  acknowledgedReason: string | null
  acknowledgedBy: string | null
  /** Those from before it came again; `by` is null where an earlier version asked for no name. */
  acknowledgements: { at: string; reason: string; by?: string | null }[]
}

export const findContradictions = (sql: Sql, taskId: string) => sql<ContradictionRow[]>`
  select task_id as "taskId", verdict, state, detail, seen_at as "seenAt", times, acknowledged_at as "acknowledgedAt",
         acknowledged_reason as "acknowledgedReason", acknowledged_by as "acknowledgedBy", acknowledgements
  from contradiction where task_id = ${taskId} order by seen_at, verdict`

/** Of all accounts, those that were not acknowledged since they came last, the oldest first. */
export const listOpenContradictions = (sql: Sql, rowsMax: number) => sql<(ContradictionRow & { accountId: string })[]>`
  select task_id as "taskId", account_id as "accountId", verdict, state, detail, seen_at as "seenAt", times, acknowledged_at as "acknowledgedAt",
         acknowledged_reason as "acknowledgedReason", acknowledged_by as "acknowledgedBy", acknowledgements
  from contradiction where acknowledged_at is null order by seen_at, task_id, verdict limit ${rowsMax}`

/** Returns how many of the task's contradictions were not acknowledged before. */
export async function acknowledgeContradictions(sql: Sql, taskId: string, { reason, by }: { reason: string; by: string }): Promise<number> {
  const { count } = await sql`
    update contradiction set acknowledged_at = now(), acknowledged_reason = ${reason}, acknowledged_by = ${by}
    where task_id = ${taskId} and acknowledged_at is null`
  return count
}
