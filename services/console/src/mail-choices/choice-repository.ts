import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** `long`: of tasks that took longer than a minute. */
export const taskEndedChoices = ['never', 'long', 'always'] as const
export type TaskEnded = (typeof taskEndedChoices)[number]
export type MailChoice = { taskEnded: TaskEnded; lowBalanceCredits: number | null }
type Member = { accountId: string; personId: string }

export const noMails: MailChoice = { taskEnded: 'never', lowBalanceCredits: null }

export async function findChoice(sql: Sql | TransactionSql, { accountId, personId }: Member): Promise<MailChoice> {
  const [row] = await sql<MailChoice[]>`
    select task_ended as "taskEnded", low_balance_credits as "lowBalanceCredits" from mail_choice
    where account_id = ${accountId} and person_id = ${personId}`
  return row ?? noMails
}

/** `isLow`: the balance is below already, or above; null where nobody knows. Another bound begins anew. */
export const saveChoice = (
  sql: TransactionSql,
  { accountId, personId, taskEnded, lowBalanceCredits, isLow }: Member & MailChoice & { isLow: boolean | null },
) => sql`
  insert into mail_choice as choice (account_id, person_id, task_ended, low_balance_credits, low_balance_told)
  values (${accountId}, ${personId}, ${taskEnded}, ${lowBalanceCredits}, ${isLow})
  on conflict (account_id, person_id) do update set
    task_ended = excluded.task_ended,
    low_balance_credits = excluded.low_balance_credits,
    low_balance_told = case
      when choice.low_balance_credits is not distinct from excluded.low_balance_credits then choice.low_balance_told
      else excluded.low_balance_told end,
    low_balance_mailed_at = case
      when choice.low_balance_credits is not distinct from excluded.low_balance_credits then choice.low_balance_mailed_at end`

/** Whether there were any to end. */
export async function stopTaskEnded(sql: TransactionSql, { accountId, personId }: Member): Promise<boolean> {
  const { count } = await sql`
    update mail_choice set task_ended = 'never' where account_id = ${accountId} and person_id = ${personId} and task_ended <> 'never'`
  return count === 1
}

/** Whether there were any to end. */
export async function stopLowBalance(sql: TransactionSql, { accountId, personId }: Member): Promise<boolean> {
  const { count } = await sql`
    update mail_choice set low_balance_credits = null, low_balance_told = null, low_balance_mailed_at = null
    where account_id = ${accountId} and person_id = ${personId} and low_balance_credits is not null`
  return count === 1
}
