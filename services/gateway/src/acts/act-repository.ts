import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type * as answers from '@filmgate/proto/operator/account'

/** What an operator did: to the account itself, or to one of its keys, members, tasks, grants or debits. */
export type Act = {
  operator: string
  act:
    | 'account_opened'
    | 'account_renamed'
    | 'account_closed'
    | 'starter_granted'
    | 'low_balance_set'
    | 'limits_set'
    | 'key_created'
    | 'key_rotated'
    | 'key_updated'
    | 'key_revoked'
    | 'task_replayed'
    | 'task_cancelled'
    | 'change_approved'
    | 'budget_set'
    | 'budget_cleared'
  accountId: string
  subject: string | null
  reason?: string | null
}
export type ActRow = Act & { at: Date }

/** In the transaction of the act itself. */
export async function insertAct(sql: TransactionSql, { operator, act, accountId, subject, reason = null }: Act): Promise<void> {
  await sql`insert into operator_act (operator, act, account_id, subject, reason) values (${operator}, ${act}, ${accountId}, ${subject}, ${reason})`
}

/** The latest of an account, newest first. */
export const listActs = (sql: Sql, accountId: string, rowsMax: number) =>
  sql<ActRow[]>`
    select at, operator, act, account_id as "accountId", subject, reason from operator_act
    where account_id = ${accountId} order by id desc limit ${rowsMax}`

/** All that was done to a task or a key, oldest first. */
export const listActsOn = (sql: Sql, subject: string) =>
  sql<ActRow[]>`
    select at, operator, act, account_id as "accountId", subject, reason from operator_act where subject = ${subject} order by id`

export const actView = ({ at, operator, act, subject, reason }: ActRow): answers.ActRow => ({
  ...{ at: at.toISOString(), act, subject, by: operator },
  ...(reason && { reason }),
})
