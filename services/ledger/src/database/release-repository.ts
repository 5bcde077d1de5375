import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Release } from '../books/reservation'

/** The first release of a task stands. */
export const insertReleases = (sql: TransactionSql, releases: Release[], nowMs: number) => sql`
  insert into release (task_id, account_id, reason, released_by, released_at)
  select "taskId", "accountId", reason, by, to_timestamp(${nowMs}::float8 / 1000)
  from ${recordset(sql, 'row', { taskId: 'text', accountId: 'text', reason: 'text', by: 'text' }, releases)}
  on conflict (task_id) do nothing`

export type ReleaseRow = Release & { releasedAt: Date }

export async function findRelease(sql: Sql, taskId: string): Promise<ReleaseRow | undefined> {
  const [row] = await sql<ReleaseRow[]>`
    select task_id as "taskId", account_id as "accountId", reason, released_by as by, released_at as "releasedAt"
    from release where task_id = ${taskId}`
  return row
}
