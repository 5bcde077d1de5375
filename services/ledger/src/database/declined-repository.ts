import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { ExceededBudget } from '../books/budget'
import type { Declined, DeclineReason, UnfinishedTask } from '../books/reservation'

export async function findDeclined(sql: TransactionSql, taskIds: string[]): Promise<Map<string, Declined>> {
  const rows = await sql<
    (Omit<Declined, 'unfinished' | 'exceeded'> & { unfinished: UnfinishedTask[] | null; exceeded: ExceededBudget | null })[]
  >`
    select task_id as "taskId", account_id as "accountId", reason, required, available,
           (extract(epoch from admit_by) * 1000)::float8 as "admitByMs", (extract(epoch from declined_at) * 1000)::float8 as "declinedAtMs", unfinished, exceeded
    from declined where task_id = any(${taskIds}::text[])`
  return new Map(
    rows.map(({ unfinished, exceeded, ...row }) => [
      row.taskId,
      { ...row, ...(unfinished && { unfinished }), ...(exceeded && { exceeded }) },
    ]),
  )
}

/** An unknown account has no row to lock, so two replicas may refuse the same request at once. */
export const insertDeclined = (sql: TransactionSql, declined: Declined[], nowMs: number) => sql`
  insert into declined (task_id, account_id, reason, required, available, admit_by, declined_at, unfinished, exceeded)
  select "taskId", "accountId", reason, required, available, to_timestamp("admitByMs" / 1000), to_timestamp(${nowMs}::float8 / 1000), unfinished, exceeded
  from ${recordset(
    sql,
    'row',
    {
      taskId: 'text',
      accountId: 'text',
      reason: 'text',
      required: 'bigint',
      available: 'bigint',
      admitByMs: 'float8',
      unfinished: 'jsonb',
      exceeded: 'jsonb',
    },
    declined,
  )}
  on conflict (task_id) do nothing`

export type DeclinedRow = {
  taskId: string
  accountId: string
  reason: DeclineReason
  required: number
  available: number
  declinedAt: Date
}

export async function findDeclinedTask(sql: Sql, taskId: string): Promise<DeclinedRow | undefined> {
  const [row] = await sql<DeclinedRow[]>`
    select task_id as "taskId", account_id as "accountId", reason, required, available, declined_at as "declinedAt"
    from declined where task_id = ${taskId}`
  return row
}

/** Deletes up to `rowsMax` refusals of requests whose `admit_by` is before `beforeMs`. Returns how many. */
export async function deleteDeclined(sql: Sql, beforeMs: number, rowsMax: number): Promise<number> {
  const { count } = await sql`
    delete from declined where task_id in (
      select task_id from declined where admit_by < to_timestamp(${beforeMs}::float8 / 1000) order by admit_by limit ${rowsMax})`
  return count
}
