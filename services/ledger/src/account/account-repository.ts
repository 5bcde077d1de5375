import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import type { Account, Grant } from './account'

/** Accounts that are open already are left alone. Ids in order, so that two batches can't deadlock. */
export const openAccounts = (sql: TransactionSql, ids: string[], nowMs: number) => sql`
  insert into account (id, opened_at)
  select id, to_timestamp(${nowMs}::float8 / 1000) from unnest(${ids}::text[]) as row (id) order by id
  on conflict (id) do nothing`

/** Locks the accounts in id order, so that two batches can't deadlock. Unknown accounts are absent from the map. */
export async function lockAccounts(sql: TransactionSql, ids: string[]): Promise<Map<string, Account>> {
  const rows = await sql<Account[]>`
    select id, available, starter, unfinished, balance_version as "balanceVersion"
    from account where id = any(${ids}::text[]) order by id for no key update`
  return new Map(rows.map(row => [row.id, { ...row }]))
}

/** Writes the rows as they were decided under their locks. */
export const updateAccounts = (sql: TransactionSql, accounts: Account[]) => sql`
  update account set available = row.available, starter = row.starter, unfinished = row.unfinished, balance_version = row.balance_version
  from unnest(${accounts.map(a => a.id)}::text[], ${accounts.map(a => a.available)}::bigint[], ${accounts.map(a => a.starter)}::bigint[],
              ${accounts.map(a => a.unfinished)}::int[], ${accounts.map(a => a.balanceVersion)}::bigint[])
    as row (id, available, starter, unfinished, balance_version)
  where account.id = row.id`

export async function findGrants(sql: TransactionSql, ids: string[]): Promise<Map<string, Grant>> {
  const rows = await sql<Grant[]>`
    select id, account_id as "accountId", balance, credits, reason from credit_grant where id = any(${ids}::text[])`
  return new Map(rows.map(row => [row.id, row]))
}

export const insertGrants = (sql: TransactionSql, grants: Grant[], nowMs: number) => sql`
  insert into credit_grant (id, account_id, balance, credits, reason, granted_at)
  select id, account_id, balance::balance, credits, reason, to_timestamp(${nowMs}::float8 / 1000)
  from unnest(${grants.map(g => g.id)}::text[], ${grants.map(g => g.accountId)}::text[], ${grants.map(g => g.balance)}::text[],
              ${grants.map(g => g.credits)}::bigint[], ${grants.map(g => g.reason)}::text[])
    as row (id, account_id, balance, credits, reason)`

export type AccountRow = Account & { openedAt: Date }

export async function findAccount(sql: Sql, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    select id, available, starter, unfinished, balance_version as "balanceVersion", opened_at as "openedAt" from account where id = ${id}`
  return row
}
