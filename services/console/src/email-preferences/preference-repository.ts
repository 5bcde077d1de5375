import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** `long`: only for tasks that took longer than a minute. */
export const taskEmailOptions = ['never', 'long', 'always'] as const
export type TaskEmailOption = (typeof taskEmailOptions)[number]
/** `warnings`: of budgets and paused webhooks. */
export type EmailPreferences = { taskEnded: TaskEmailOption; lowBalanceCredits: number | null; warnings: boolean }
type Member = { accountId: string; personId: string }

/** Of a member who has chosen nothing. */
export const defaultPreferences: EmailPreferences = { taskEnded: 'never', lowBalanceCredits: null, warnings: true }

export async function findPreferences(sql: Sql | TransactionSql, { accountId, personId }: Member): Promise<EmailPreferences> {
  const [row] = await sql<EmailPreferences[]>`
    select task_ended as "taskEnded", low_balance_credits as "lowBalanceCredits", warnings from mail_choice
    where account_id = ${accountId} and person_id = ${personId}`
  return row ?? defaultPreferences
}

/** `isLow`: whether the balance is below the threshold now; null if unknown. A changed threshold starts over. */
export const upsertPreferences = (
  sql: TransactionSql,
  { accountId, personId, taskEnded, lowBalanceCredits, warnings, isLow }: Member & EmailPreferences & { isLow: boolean | null },
) => sql`
  insert into mail_choice as choice (account_id, person_id, task_ended, low_balance_credits, warnings, low_balance_told)
  values (${accountId}, ${personId}, ${taskEnded}, ${lowBalanceCredits}, ${warnings}, ${isLow})
  on conflict (account_id, person_id) do update set
    task_ended = excluded.task_ended,
    low_balance_credits = excluded.low_balance_credits,
    warnings = excluded.warnings,
    low_balance_told = case
      when choice.low_balance_credits is not distinct from excluded.low_balance_credits then choice.low_balance_told
      else excluded.low_balance_told end,
    low_balance_mailed_at = case
      when choice.low_balance_credits is not distinct from excluded.low_balance_credits then choice.low_balance_mailed_at end`

/** Returns whether such mails were on. */
export async function disableTaskEmails(sql: TransactionSql, { accountId, personId }: Member): Promise<boolean> {
  const { count } = await sql`
    update mail_choice set task_ended = 'never' where account_id = ${accountId} and person_id = ${personId} and task_ended <> 'never'`
  return count === 1
}

/** Returns whether such mails were on. */
export async function disableLowBalanceEmails(sql: TransactionSql, { accountId, personId }: Member): Promise<boolean> {
  const { count } = await sql`
    update mail_choice set low_balance_credits = null, low_balance_told = null, low_balance_mailed_at = null
    where account_id = ${accountId} and person_id = ${personId} and low_balance_credits is not null`
  return count === 1
}

/** Returns whether such mails were on. Who has left the account has none. */
export async function disableWarnings(sql: TransactionSql, { accountId, personId }: Member): Promise<boolean> {
  const { count } = await sql`
    insert into mail_choice as choice (account_id, person_id, warnings)
    select account_id, person_id, false from membership where account_id = ${accountId} and person_id = ${personId}
    on conflict (account_id, person_id) do update set warnings = false where choice.warnings`
  return count === 1
}
