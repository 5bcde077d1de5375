import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export async function insertDecision(sql: TransactionSql, taskId: string, event: Uint8Array): Promise<void> {
  await sql`insert into decision (task_id, event) values (${taskId}, ${event}) on conflict (task_id) do nothing`
}

export type Decision = { taskId: string; accountId: string; event: Uint8Array }

/** The stored events of these tasks' decisions. */
export const findDecisions = (sql: Sql | TransactionSql, taskIds: string[]) =>
  sql<Decision[]>`
    select task_id as "taskId", account_id as "accountId", event from decision join verification using (task_id)
    where task_id = any(${taskIds}::text[]) order by task_id`

/** Deletes up to `rowsMax` decisions older than `keptDays` of tasks without copies. Returns the number. */
export async function deleteDecisions(sql: Sql, keptDays: number, rowsMax: number): Promise<number> {
  const { count } = await sql`
    delete from decision where task_id in (
      select task_id from decision left join verification using (task_id)
      where decided_at < now() - ${keptDays} * interval '1 day' and state is distinct from 'verified'
      order by decided_at limit ${rowsMax})`
  return count
}

/** Tasks behind `after` that were decided since then, in the order of their ids. */
export async function listDecidedSince(sql: Sql, { since, after, rowsMax }: { since: Date; after: string; rowsMax: number }) {
  const rows = await sql<{ taskId: string }[]>`
    select task_id as "taskId" from decision where task_id > ${after} and decided_at >= ${since} order by task_id limit ${rowsMax}`
  return rows.map(({ taskId }) => taskId)
}
