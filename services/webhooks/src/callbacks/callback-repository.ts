import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export type InsertCallback = {
  taskId: string
  accountId: string
  url: string
  secret: Uint8Array | null
  /** Of the endpoint that stands for the account's callbacks, where it has none yet. */
  endpointId: string
  keptDays: number
}

/** Of a task the first one stays. */
export async function insertCallback(sql: Sql, { taskId, accountId, url, secret, endpointId, keptDays }: InsertCallback): Promise<void> {
  await sql`
    insert into endpoint (id, account_id, url, description, events, secret, callbacks)
    values (${endpointId}, ${accountId}, '', 'callback_url of tasks', '{}', '', true)
    on conflict (account_id) where callbacks do nothing`
  await sql`
    insert into callback (task_id, endpoint_id, url, secret, kept_until)
    select ${taskId}, id, ${url}, ${secret}, now() + ${keptDays} * interval '1 day' from endpoint where account_id = ${accountId} and callbacks
    on conflict (task_id) do nothing`
}

/** `reviewedIds`: those of the tasks that are in review, whose end comes once an operator has decided. */
export type CallbackUse = { endpointIds: string[]; taskIds: string[]; reviewedIds: string[]; keptDays: number }

const reviewDaysMax = 365

/** The callbacks of these tasks that an event has come for: each is kept as long as the log of that event, and until a review has ended. */
export const useCallbacks = (sql: TransactionSql, { endpointIds, taskIds, reviewedIds, keptDays }: CallbackUse) =>
  sql<{ endpointId: string; taskId: string }[]>`
    update callback set kept_until = greatest(kept_until,
      now() + case when task_id = any(${reviewedIds}::text[]) then ${reviewDaysMax}::int else ${keptDays} end * interval '1 day')
    where endpoint_id = any(${endpointIds}::text[]) and task_id = any(${taskIds}::text[])
    returning endpoint_id as "endpointId", task_id as "taskId"`

const portion = 1_000

/** Deletes a portion of those whose time is over or whose endpoint is deleted; returns how many. */
export async function deleteOldCallbacks(sql: Sql): Promise<number> {
  const rows = await sql`
    delete from callback where task_id in (
      (select task_id from callback where kept_until < now() order by kept_until limit ${portion})
      union all
      (select task_id from endpoint join callback on endpoint_id = endpoint.id where deleted_at is not null limit ${portion}))
    returning task_id`
  return rows.length
}
