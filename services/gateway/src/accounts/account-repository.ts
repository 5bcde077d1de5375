import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { invariant } from '@filmgate/kit/failure'
import { insertBalanceNotices } from '../notices/notice-repository'

/** `owed`: what debits beyond the balance left, as the ledger last told it. */
export type AccountState = AccountRow & { owed: number; closedAt: Date | null }
/** `lowBalance`: clients hear of a paid balance below it; null: never. */
export type AccountRow = {
  id: string
  name: string
  available: number
  starter: number
  lowBalance: number | null
  createdAt: Date
} & AccountLimits
/** What an operator set in place of the services' settings; null: those hold. */
export type AccountLimits = { requestsAMinute: number | null; unfinishedTasksMax: number | null }

const accountColumns = (sql: Sql) => sql`id, name, available, starter, low_balance_credits as "lowBalance", created_at as "createdAt",
  requests_a_minute as "requestsAMinute", unfinished_tasks_max as "unfinishedTasksMax"`

export async function insertAccount(sql: TransactionSql, id: string, name: string): Promise<void> {
  await sql`insert into account (id, name) values (${id}, ${name})`
}

/** Whether there was none of this id yet. */
export async function insertAccountOnce(sql: TransactionSql, id: string, name: string): Promise<boolean> {
  const { count } = await sql`insert into account (id, name) values (${id}, ${name}) on conflict (id) do nothing`
  return count === 1
}

/** Locked, so that what is decided by it still holds when it is written. */
export async function lockAccount(sql: TransactionSql, id: string): Promise<{ name: string; closedAt: Date | null } | undefined> {
  const [row] = await sql<{ name: string; closedAt: Date | null }[]>`
    select name, closed_at as "closedAt" from account where id = ${id} for no key update`
  return row
}

export async function renameAccount(sql: TransactionSql, id: string, name: string): Promise<void> {
  await sql`update account set name = ${name} where id = ${id}`
}

/** Of a locked account; see `mergeBalances` for `low_notice` and `fell`. */
export async function updateLowBalance(sql: TransactionSql, id: string, credits: number | null): Promise<void> {
  const noticeId = crypto.randomUUID()
  await sql`
    with balanced as (
      update account set
        low_balance_credits = ${credits}::bigint, low_notice = case when available < ${credits}::bigint then coalesce(low_notice, ${noticeId}::uuid) end
      where id = ${id}
      returning id, available, low_balance_credits, low_notice, low_notice = ${noticeId}::uuid as fell
    )
    ${insertBalanceNotices(sql)}`
}

/** Of a locked account; what is left out stays. */
export async function updateLimits(
  sql: TransactionSql,
  id: string,
  { requestsAMinute, unfinishedTasksMax }: { [K in keyof AccountLimits]?: AccountLimits[K] | undefined },
): Promise<AccountLimits & { version: number }> {
  const [row] = await sql<(AccountLimits & { version: number })[]>`
    update account set limits_version = limits_version + 1
      ${requestsAMinute === undefined ? sql`` : sql`, requests_a_minute = ${requestsAMinute}`}
      ${unfinishedTasksMax === undefined ? sql`` : sql`, unfinished_tasks_max = ${unfinishedTasksMax}`}
    where id = ${id}
    returning requests_a_minute as "requestsAMinute", unfinished_tasks_max as "unfinishedTasksMax", limits_version as version`
  invariant(row, `account ${id} is locked`)
  return row
}

export async function markClosed(sql: TransactionSql, id: string): Promise<void> {
  await sql`update account set closed_at = now() where id = ${id} and closed_at is null`
}

/** Whether this person got none before, on whatever account. */
export async function insertStarterGrant(
  sql: TransactionSql,
  {
    person,
    accountId,
    credits,
    operator,
    grantedAt,
  }: { person: string; accountId: string; credits: number; operator: string; grantedAt: Date },
): Promise<boolean> {
  const { count } = await sql`
    insert into starter_grant (person, account_id, credits, operator, granted_at)
    values (${person}, ${accountId}, ${credits}, ${operator}, ${grantedAt}) on conflict (person) do nothing`
  return count === 1
}

export async function findAccountState(sql: Sql, id: string): Promise<AccountState | undefined> {
  const [row] = await sql<AccountState[]>`select ${accountColumns(sql)}, owed, closed_at as "closedAt" from account where id = ${id}`
  return row
}

/** Newest first: an account's id sorts by its age. */
export const listAccounts = (
  sql: Sql,
  { nameHas, beforeId, rowsMax }: { nameHas: string | null; beforeId: string | null; rowsMax: number },
) =>
  sql<AccountRow[]>`
    select ${accountColumns(sql)} from account
    where (${beforeId}::text is null or id < ${beforeId}) and (${nameHas}::text is null or position(lower(${nameHas}) in lower(name)) > 0)
    order by id desc limit ${rowsMax}`

export async function findAccount(sql: Sql, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`select ${accountColumns(sql)} from account where id = ${id}`
  return row
}
