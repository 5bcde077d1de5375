import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { type Budget, type Spend, type Subject, spendKey, subjectKey } from '../books/budget'

const subjectColumns = { accountId: 'text', scope: 'text', subjectId: 'text' }

/** The budgets of these subjects; read under the locks of their accounts, as is their spend. */
export async function findBudgets(sql: TransactionSql, subjects: Subject[]): Promise<Map<string, Budget>> {
  const rows = await sql<(Subject & Record<'total' | 'day' | 'month', number | null> & { version: number })[]>`
    select account_id as "accountId", scope, subject_id as "subjectId", total_max as total, day_max as day, month_max as month, version from budget
    where (account_id, scope, subject_id) in (select * from ${recordset(sql, 'subject', subjectColumns, subjects)})`
  return new Map(rows.map(({ total, day, month, ...row }) => [subjectKey(row), { ...row, caps: { total, day, month } }]))
}

export async function findSpend(sql: TransactionSql, periods: (Subject & { period: string })[]): Promise<Map<string, Spend>> {
  const rows = await sql<Spend[]>`
    select account_id as "accountId", scope, subject_id as "subjectId", period, spent from budget_spend
    where (account_id, scope, subject_id, period) in (select * from ${recordset(sql, 'one', { ...subjectColumns, period: 'text' }, periods)})`
  return new Map(rows.map(row => [spendKey(row, row.period), { ...row }]))
}

export const upsertBudgets = (sql: TransactionSql, budgets: Budget[]) => sql`
  insert into budget (account_id, scope, subject_id, total_max, day_max, month_max, version)
  select "accountId", scope, "subjectId", total, day, month, version
  from ${recordset(
    sql,
    'row',
    { ...subjectColumns, total: 'bigint', day: 'bigint', month: 'bigint', version: 'bigint' },
    budgets.map(({ caps, ...budget }) => ({ ...budget, ...caps })),
  )}
  on conflict (account_id, scope, subject_id) do update
  set total_max = excluded.total_max, day_max = excluded.day_max, month_max = excluded.month_max, version = excluded.version`

export const upsertSpend = (sql: TransactionSql, spend: Spend[]) => sql`
  insert into budget_spend (account_id, scope, subject_id, period, spent)
  select "accountId", scope, "subjectId", period, spent
  from ${recordset(sql, 'row', { ...subjectColumns, period: 'text', spent: 'bigint' }, spend)}
  on conflict (account_id, scope, subject_id, period) do update set spent = excluded.spent`

/** Of all budgets of these accounts. */
export const listSubjects = (sql: Sql, accountIds: string[]) =>
  sql<
    Subject[]
  >`select account_id as "accountId", scope, subject_id as "subjectId" from budget where account_id = any(${accountIds}::text[])`
