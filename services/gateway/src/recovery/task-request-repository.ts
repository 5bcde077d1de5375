import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/**
 * A task has ended once the events that end its generation and its reservation have come, or once it was declined. Without a price its
 * CreditsReserved has never come and its usage record is missing, so that it has not ended yet. `task` names the row.
 */
export const ended = (sql: Sql | TransactionSql): Fragment =>
  sql`task.phase_rank = 4 and (task.phase = 'declined' or (task.billing_rank = 4 and task.credits_used > 0))`

export type TaskRequest = { taskId: string; accountId: string; event: Uint8Array }

export type Silence = { afterMs: number; waitMsMax: number; rowsMax: number }

/**
 * Takes up to `rowsMax` requests that are due. Those of ended tasks are deleted, those of tasks of which an event came within `afterMs`
 * wait on; returned are the others, each due again after twice its last wait. Rows that another replica holds are left to it.
 */
export const takeSilentRequests = (sql: TransactionSql, { afterMs, waitMsMax, rowsMax }: Silence) =>
  sql<TaskRequest[]>`
    with due as (
      select task_id, event, retells from task_request where retell_at <= now() order by retell_at limit ${rowsMax} for update skip locked
    ), looked as (
      select due.task_id, due.event, due.retells, task.account_id, task.updated_at,
             task.id is null or (${ended(sql)}) as over, task.updated_at > now() - ${afterMs} * interval '1 millisecond' as active
      from due left join task on task.id = due.task_id
    ), forgotten as (
      delete from task_request using looked where looked.over and task_request.task_id = looked.task_id
    ), planned as (
      update task_request set
        retells = task_request.retells + case when looked.active then 0 else 1 end,
        retell_at = case
          when looked.active then looked.updated_at + ${afterMs} * interval '1 millisecond'
          else now() + least(${waitMsMax}, ${afterMs} * power(2, least(looked.retells, 40) + 1)) * interval '1 millisecond'
        end
      from looked where not looked.over and task_request.task_id = looked.task_id
    )
    select task_id as "taskId", account_id as "accountId", event from looked where not over and not active`

/** The request of a task that has not ended; none where an earlier version took it. */
export const findRequests = (sql: TransactionSql, taskId: string) =>
  sql<TaskRequest[]>`
    select task_id as "taskId", account_id as "accountId", event from task_request join task on task.id = task_id
    where task_id = ${taskId} and not (${ended(sql)})`
