import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export async function insertClosing(sql: TransactionSql, accountId: string): Promise<void> {
  await sql`insert into account_closing (account_id) values (${accountId})`
}

/**
 * Of accounts that were closed `afterMs` ago and whose tasks have all ended: the notice that is their last. The notice of a task's end is
 * written with the end, so it has a lower id. Returns how many.
 */
export async function endClosings(sql: Sql, afterMs: number): Promise<number> {
  const { count } = await sql`
    with over as (
      delete from account_closing as closing
      where closed_at < now() - ${afterMs} * interval '1 millisecond' and not exists (
        select from task_request join task on task.id = task_request.task_id
        where task.account_id = closing.account_id and task.surface = 'api')
      returning account_id
    )
    insert into notice (kind, account_id, at) select 'account_closed', account_id, now() from over`
  return count
}
