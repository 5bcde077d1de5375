import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Account, ChangeTerms, CreditChange } from '../books/account'

/** Accounts that are open already are left as they are. Ids in order, so that two batches can't deadlock. */
export const openAccounts = (sql: TransactionSql, ids: string[], nowMs: number) => sql`
  insert into account (id, opened_at)
  select id, to_timestamp(${nowMs}::float8 / 1000) from unnest(${ids}::text[]) as row (id) order by id
  on conflict (id) do nothing`

/** Locks the accounts in id order, so that two batches can't deadlock. Unknown accounts are absent from the map. */
export async function lockAccounts(sql: TransactionSql, ids: string[]): Promise<Map<string, Account>> {
  const rows = await sql<Account[]>`
    select id, available, starter, owed, unfinished, unfinished_max as "unfinishedMax", limits_version as "limitsVersion",
           balance_version as "balanceVersion", coalesce(round(extract(epoch from posted_at) * 1000), 0)::float8 as "postedAtMs",
           time_zone as "timeZone", budget_version as "budgetVersion"
    from account where id = any(${ids}::text[]) order by id for no key update`
  return new Map(rows.map(row => [row.id, { ...row }]))
}

/** Writes the rows as they were decided under their locks. */
export const updateAccounts = (sql: TransactionSql, accounts: Account[]) => sql`
  update account set available = row.available, starter = row.starter, owed = row.owed, unfinished = row.unfinished, balance_version = row."balanceVersion",
    unfinished_max = row."unfinishedMax", limits_version = row."limitsVersion", posted_at = to_timestamp(row."postedAtMs" / 1000),
    time_zone = row."timeZone", budget_version = row."budgetVersion"
  from ${recordset(
    sql,
    'row',
    {
      id: 'text',
      available: 'bigint',
      starter: 'bigint',
      owed: 'bigint',
      unfinished: 'int',
      unfinishedMax: 'int',
      limitsVersion: 'bigint',
      balanceVersion: 'bigint',
      postedAtMs: 'float8',
      timeZone: 'text',
      budgetVersion: 'bigint',
    },
    accounts,
  )}
  where account.id = row.id`

type ChangeRow = Omit<CreditChange, 'after'> & { available: number | null; starter: number; balanceVersion: number }

/** Grants and debits by their ids. */
export async function findCreditChanges(sql: TransactionSql, ids: string[]): Promise<Map<string, CreditChange>> {
  const rows = await sql<ChangeRow[]>`
    select id, kind, account_id as "accountId", balance, credits, reason, operator, applied, owed, beyond_balance as "beyondBalance",
           available, starter, balance_version as "balanceVersion", round(extract(epoch from granted_at) * 1000)::float8 as "decidedAtMs"
    from credit_grant where id = any(${ids}::text[])`
  return new Map(
    rows.map(({ available, starter, balanceVersion, ...row }) => [
      row.id,
      { ...row, after: available === null ? null : { available, starter, balanceVersion } },
    ]),
  )
}

export const insertCreditChanges = (sql: TransactionSql, changes: CreditChange[]) => sql`
  insert into credit_grant (id, kind, account_id, balance, credits, reason, operator, applied, owed, beyond_balance, available, starter, balance_version, granted_at)
  select id, kind, "accountId", balance, credits, reason, operator, applied, owed, "beyondBalance", available, starter, "balanceVersion", to_timestamp("decidedAtMs" / 1000)
  from ${recordset(
    sql,
    'row',
    {
      id: 'text',
      kind: 'text',
      accountId: 'text',
      balance: 'balance',
      credits: 'bigint',
      reason: 'text',
      operator: 'text',
      applied: 'boolean',
      owed: 'bigint',
      beyondBalance: 'boolean',
      available: 'bigint',
      starter: 'bigint',
      balanceVersion: 'bigint',
      decidedAtMs: 'float8',
    },
    changes.map(({ after, ...change }) => ({
      available: after?.available,
      starter: after?.starter,
      balanceVersion: after?.balanceVersion,
      ...change,
    })),
  )}`

/** The database's clock, which is the same for all replicas. */
export async function readClock(sql: TransactionSql): Promise<number> {
  const [row] = await sql<{ nowMs: number }[]>`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`
  return row?.nowMs ?? 0
}

export type AccountRow = Omit<Account, 'postedAtMs' | 'unfinishedMax' | 'limitsVersion' | 'timeZone' | 'budgetVersion'> & { openedAt: Date }

export async function findAccount(sql: Sql, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    select id, available, starter, owed, unfinished, balance_version as "balanceVersion", opened_at as "openedAt" from account where id = ${id}`
  return row
}

/** Ids of accounts behind `after`, in order. */
export async function listAccountIds(sql: Sql, after: string, rowsMax: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from account where id > ${after} order by id limit ${rowsMax}`
  return rows.map(({ id }) => id)
}

type Since = { since: Date; after: string; rowsMax: number }

/** The terms of grants and debits behind `after` that were decided since then, in the order of their ids. */
export const listChangesSince = (sql: Sql, { since, after, rowsMax }: Since) =>
  sql<(ChangeTerms & { operator: string })[]>`
    select id, kind, account_id as "accountId", balance, credits, reason, operator, beyond_balance as "beyondBalance"
    from credit_grant where id > ${after} and granted_at >= ${since} order by id limit ${rowsMax}`
