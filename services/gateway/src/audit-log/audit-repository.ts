import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type * as answers from '@filmgate/proto/operator/account'

/** What an operator did: to the account itself, or to one of its keys, members, tasks, grants or debits. */
export type AuditEntry = {
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
export type AuditRow = AuditEntry & { at: Date }

/** In the transaction of the act itself. */
export async function insertAuditEntry(
  sql: TransactionSql,
  { operator, act, accountId, subject, reason = null }: AuditEntry,
): Promise<void> {
  await sql`insert into operator_act (operator, act, account_id, subject, reason) values (${operator}, ${act}, ${accountId}, ${subject}, ${reason})`
}

/** The latest of an account, newest first. */
export const listAuditEntries = (sql: Sql, accountId: string, rowsMax: number) =>
  sql<AuditRow[]>`
    select at, operator, act, account_id as "accountId", subject, reason from operator_act
    where account_id = ${accountId} order by id desc limit ${rowsMax}`

/** All that was done to a task or a key, oldest first. */
export const listAuditEntriesOf = (sql: Sql, subject: string) =>
  sql<AuditRow[]>`
    select at, operator, act, account_id as "accountId", subject, reason from operator_act where subject = ${subject} order by id`

export const auditEntryView = ({ at, operator, act, subject, reason }: AuditRow): answers.ActRow => ({
  ...{ at: at.toISOString(), act, subject, by: operator },
  ...(reason && { reason }),
})
