import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'

/** Claims accounts whose balance is due for a check, for `ms`. */
export const claimBalanceChecks = (sql: Sql, limit: number, ms: number) =>
  sql<{ accountId: string; personId: string }[]>`
    update mail_choice set next_look_at = now() + ${ms} * interval '1 millisecond'
    where (account_id, person_id) in (
      select account_id, person_id from mail_choice where low_balance_credits is not null and next_look_at <= now()
      order by next_look_at limit ${limit} for update skip locked)
    returning account_id as "accountId", person_id as "personId"`

export type BalanceCheck = { accountId: string; personId: string; available: number }
export type LowBalance = BalanceCheck & { email: string; name: string; accountName: string; bound: number }

/**
 * Stores the balances and returns whom to mail: a balance that fell below the threshold since it was last above, or
 * since the setting was made. If it keeps crossing the threshold, mails are at least `gapMs` apart, and only sent while
 * it is below.
 */
export const recordBalanceChecks = (sql: TransactionSql, checks: BalanceCheck[], gapMs: number) =>
  sql<LowBalance[]>`
    with seen as (
      select choice.account_id, choice.person_id, look.available, choice.low_balance_told as told, look.available < choice.low_balance_credits as low,
             coalesce(choice.low_balance_mailed_at < now() - ${gapMs} * interval '1 millisecond', true) as due,
             person.email, person.name, account.name as account_name
      from ${recordset(sql, 'look', { accountId: 'text', personId: 'text', available: 'bigint' }, checks)}
      join mail_choice as choice on choice.account_id = look."accountId" and choice.person_id = look."personId"
      join membership using (account_id, person_id) join person on person.id = choice.person_id join account on account.id = choice.account_id
      where choice.low_balance_credits is not null and membership.role = 'owner' and person.email_verified and account.closed_at is null
      order by choice.account_id, choice.person_id for update of choice
    ), kept as (
      update mail_choice as choice set
        low_balance_told = seen.low and (seen.told is null or seen.told or seen.due),
        low_balance_mailed_at = case when seen.low and not seen.told and seen.due then now() else choice.low_balance_mailed_at end
      from seen where choice.account_id = seen.account_id and choice.person_id = seen.person_id
        and (seen.told is null or seen.low <> seen.told)
      returning choice.account_id as "accountId", choice.person_id as "personId", choice.low_balance_credits as bound, seen.*
    )
    select "accountId", "personId", bound, available, email, name, account_name as "accountName"
    from kept where low and not told and due`
