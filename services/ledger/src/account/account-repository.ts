import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import { recordset } from '@filmgate/kit/recordset'
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
  update account set available = row.available, starter = row.starter, unfinished = row.unfinished, balance_version = row."balanceVersion"
  from ${recordset(sql, 'row', { id: 'text', available: 'bigint', starter: 'bigint', unfinished: 'int', balanceVersion: 'bigint' }, accounts)}
  where account.id = row.id`

export async function findGrants(sql: TransactionSql, ids: string[]): Promise<Map<string, Grant>> {
  const rows = await sql<Grant[]>`
    select id, account_id as "accountId", balance, credits, reason from credit_grant where id = any(${ids}::text[])`
  return new Map(rows.map(row => [row.id, row]))
}

export const insertGrants = (sql: TransactionSql, grants: Grant[], nowMs: number) => sql`
  insert into credit_grant (id, account_id, balance, credits, reason, granted_at)
  select id, "accountId", balance, credits, reason, to_timestamp(${nowMs}::float8 / 1000)
  from ${recordset(sql, 'row', { id: 'text', accountId: 'text', balance: 'balance', credits: 'bigint', reason: 'text' }, grants)}`

export type AccountRow = Account & { openedAt: Date }

export async function findAccount(sql: Sql, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    select id, available, starter, unfinished, balance_version as "balanceVersion", opened_at as "openedAt" from account where id = ${id}`
  return row
}
