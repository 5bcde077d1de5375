import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { type ConsoleTask, consoleColumns } from '../task-repository'

export type TaskOfAccount = { accountId: string; taskId: string }

/** Of these tasks those that are their account's; what was declined before credits were held is none. */
export const listTasksOf = (sql: Sql, asked: TaskOfAccount[]) =>
  sql<ConsoleTask[]>`
    select ${consoleColumns(sql)} from ${recordset(sql, 'asked', { accountId: 'text', taskId: 'text' }, asked)}
    join task on task.id = asked."taskId" and task.account_id = asked."accountId" where task.billing_status is not null`

export type AccountBalance = { accountId: string; available: number; starter: number }

/** Of these accounts those that are open. */
export const listBalancesOf = (sql: Sql, accountIds: string[]) =>
  sql<AccountBalance[]>`
    select id as "accountId", available, starter from account where id = any(${accountIds}) and closed_at is null`
