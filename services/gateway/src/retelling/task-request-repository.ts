import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/postgres'

/**
 * A task ends with the line's last word and the ledger's, or where it was declined. Without a price its reservation was never heard, nor its
 * usage record made, however it ended. `task` names the row.
 */
export const ended = (sql: Sql | TransactionSql): Fragment =>
  sql`task.phase_rank = 4 and (task.phase = 'declined' or (task.billing_rank = 4 and task.credits_used > 0))`

export type TaskRequest = { taskId: string; accountId: string; event: Uint8Array }

export type Silence = { afterMs: number; waitMsMax: number; rowsMax: number }

/**
 * Takes up to `rowsMax` requests whose time has come. Those of ended tasks are forgotten, those of tasks that were heard of within
 * `afterMs` wait on; returned are the others, each due again after twice its last wait. Rows that another replica holds are left to it.
 */
export const takeSilentRequests = (sql: TransactionSql, { afterMs, waitMsMax, rowsMax }: Silence) =>
  sql<TaskRequest[]>`
    with due as (
      select task_id, event, retells from task_request where retell_at <= now() order by retell_at limit ${rowsMax} for update skip locked
    ), looked as (
      select due.task_id, due.event, due.retells, task.account_id, task.updated_at,
             task.id is null or (${ended(sql)}) as over, task.updated_at > now() - ${afterMs} * interval '1 millisecond' as heard
      from due left join task on task.id = due.task_id
    ), forgotten as (
      delete from task_request using looked where looked.over and task_request.task_id = looked.task_id
    ), planned as (
      update task_request set
        retells = task_request.retells + case when looked.heard then 0 else 1 end,
        retell_at = case
          when looked.heard then looked.updated_at + ${afterMs} * interval '1 millisecond'
          else now() + least(${waitMsMax}, ${afterMs} * power(2, least(looked.retells, 40) + 1)) * interval '1 millisecond'
        end
      from looked where not looked.over and task_request.task_id = looked.task_id
    )
    select task_id as "taskId", account_id as "accountId", event from looked where not over and not heard`

/** The request of a task that has not ended; none where an earlier version took it. */
export const findRequests = (sql: TransactionSql, taskId: string) =>
  sql<TaskRequest[]>`
    select task_id as "taskId", account_id as "accountId", event from task_request join task on task.id = task_id
    where task_id = ${taskId} and not (${ended(sql)})`
