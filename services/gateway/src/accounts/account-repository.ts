import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/postgres'
import { recordset } from '@filmgate/kit/recordset'

export type Balance = { accountId: string; available: number; starter: number; version: number }
/** `starter` is null where the event does not say. */
export type BalanceChange = { accountId: string; available: number; starter: number | null; version: number }

export async function insertAccount(sql: TransactionSql, id: string, name: string): Promise<void> {
  await sql`insert into account (id, name) values (${id}, ${name})`
}

export const findBalances = (sql: Sql, accountIds: string[]) =>
  sql<Balance[]>`select id as "accountId", available, starter, balance_version as version from account where id = any(${accountIds})`

/** The highest version wins, in whatever order they come. */
export const mergeBalances = (sql: Sql, changes: BalanceChange[]): Fragment => sql`
  update account set available = change.available, starter = coalesce(change.starter, account.starter), balance_version = change.version
  from ${recordset(sql, 'change', { accountId: 'text', available: 'bigint', starter: 'bigint', version: 'bigint' }, changes)}
  where account.id = change."accountId" and account.balance_version < change.version`
