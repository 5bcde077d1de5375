import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** A task that an operator ended, by whom and why. */
export type Release = { taskId: string; accountId: string; reason: string; by: string }

export async function insertRelease(sql: TransactionSql, { taskId, accountId, reason, by }: Release): Promise<void> {
  await sql`insert into release (task_id, account_id, reason, released_by) values (${taskId}, ${accountId}, ${reason}, ${by}) on conflict do nothing`
}

export type ReleaseRow = Release & { releasedAt: Date }

export async function findRelease(sql: Sql, taskId: string): Promise<ReleaseRow | undefined> {
  const [row] = await sql<ReleaseRow[]>`
    select task_id as "taskId", account_id as "accountId", reason, released_by as by, released_at as "releasedAt"
    from release where task_id = ${taskId}`
  return row
}
