import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'

export type Balance = { accountId: string; available: number; starter: number; version: number }
/** An account's balances as events have them. `starter`, `owed` and their version are null in events without them. */
export type BalanceChange = {
  accountId: string
  available: number
  version: number
  starter: number | null
  owed: number | null
  starterVersion: number | null
}

export const findBalances = (sql: Sql, accountIds: string[]) =>
  sql<Balance[]>`select id as "accountId", available, starter, balance_version as version from account where id = any(${accountIds})`

/**
 * The highest version wins, in whatever order they come, and for each balance by itself: two events may bring one balance each under the
 * same version. For a starter balance from before its version was kept, the account's version stands in. `fell`: the paid balance is newly
 * below the account's threshold.
 */
export const mergeBalances = (sql: Sql, changes: BalanceChange[]): Fragment => sql`
  update account set
    available = case when change.version > account.balance_version then change.available else account.available end,
    balance_version = greatest(change.version, account.balance_version),
    low_notice = case
      when change.version <= account.balance_version then low_notice
      when change.available < low_balance_credits then coalesce(low_notice, change."noticeId")
    end,
    starter = case when change."starterVersion" > coalesce(starter_version, balance_version - 1) then change.starter else account.starter end,
    owed = case when change."starterVersion" > coalesce(starter_version, balance_version - 1) then change.owed else account.owed end,
    starter_version = case when change."starterVersion" > coalesce(starter_version, balance_version - 1) then change."starterVersion" else starter_version end
  from ${recordset(
    sql,
    'change',
    {
      accountId: 'text',
      available: 'bigint',
      starter: 'bigint',
      owed: 'bigint',
      version: 'bigint',
      starterVersion: 'bigint',
      noticeId: 'uuid',
    },
    changes.map(change => ({ ...change, noticeId: crypto.randomUUID() })),
  )}
  where account.id = change."accountId"
    and (account.balance_version < change.version or change."starterVersion" > coalesce(starter_version, balance_version - 1))
  returning account.id, account.available, low_balance_credits, low_notice, low_notice = change."noticeId" as fell`
