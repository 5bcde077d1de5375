import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Budget, BudgetPeriod, Caps, Subject } from './budget'

/** More than a page shows; an account has 20 working keys and as many members as it invites. */
const listedMax = 1_000

type AccountZone = { timeZone: string; version: number; closed: boolean }

/** Numbers the account's next message, and sets its time zone where one is given. The row stays locked. Undefined where there is no such account. */
export async function nextBudgetVersion(sql: TransactionSql, accountId: string, timeZone: string | null): Promise<AccountZone | undefined> {
  const [row] = await sql<AccountZone[]>`
    update account set budget_version = budget_version + 1, time_zone = coalesce(${timeZone}, time_zone) where id = ${accountId}
    returning time_zone as "timeZone", budget_version as version, closed_at is not null as closed`
  return row
}

export async function findTimeZone(sql: Sql, accountId: string): Promise<string | undefined> {
  const [row] = await sql<{ timeZone: string }[]>`select time_zone as "timeZone" from account where id = ${accountId}`
  return row?.timeZone
}

export async function isKeyOf(sql: TransactionSql, keyId: string, accountId: string): Promise<boolean> {
  const rows = await sql`select from api_key where id = ${keyId} and account_id = ${accountId}`
  return rows.length > 0
}

export type NewBudget = Subject & { caps: Caps; version: number; setBy: string; setAt: Date }

export async function upsertBudget(sql: TransactionSql, budget: NewBudget): Promise<void> {
  const { accountId, scope, subjectId, caps, version, setBy, setAt } = budget
  await sql`
    insert into budget (account_id, scope, subject_id, total_max, day_max, month_max, version, set_by, set_at)
    values (${accountId}, ${scope}, ${subjectId}, ${caps.total}, ${caps.day}, ${caps.month}, ${version}, ${setBy}, ${setAt})
    on conflict (account_id, scope, subject_id) do update
    set total_max = excluded.total_max, day_max = excluded.day_max, month_max = excluded.month_max, version = excluded.version,
        set_by = excluded.set_by, set_at = excluded.set_at`
}

type Row = Omit<Budget, 'caps'> & Record<`${BudgetPeriod}Max`, number | null>

const columns = (sql: Sql): Fragment => sql`
  account_id as "accountId", scope, subject_id as "subjectId", version, applied_version as "appliedVersion", set_by as "setBy",
  set_at as "setAt", total_spent as "totalSpent", day, day_spent as "daySpent", month, month_spent as "monthSpent",
  total_max as "totalMax", day_max as "dayMax", month_max as "monthMax"`

const budgetOf = <R extends Row>({ totalMax, dayMax, monthMax, ...row }: R) => ({
  ...row,
  caps: { total: totalMax, day: dayMax, month: monthMax },
})

/** Those that have a cap: the account's, then its keys' and its members'. */
export async function listBudgets(sql: Sql, accountId: string): Promise<Budget[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from budget where account_id = ${accountId} and coalesce(total_max, day_max, month_max) is not null
    order by scope, subject_id limit ${listedMax}`
  return rows.map(budgetOf)
}

/** Those that a request of this key is held to: the key's, then its account's. */
export async function listBudgetsOfKey(
  sql: Sql,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<(Budget & { timeZone: string })[]> {
  const rows = await sql<(Row & { timeZone: string })[]>`
    select ${columns(sql)}, time_zone as "timeZone" from budget join account on account.id = account_id
    where account_id = ${accountId} and ((scope = 'key' and subject_id = ${keyId}) or (scope = 'account' and subject_id = ${accountId}))
    order by scope desc`
  return rows.map(budgetOf)
}

/** What a budget has spent, as an event has it. */
export type SpendChange = Subject & {
  version: number
  balanceVersion: number
  totalSpent: number
  day: string
  daySpent: number
  month: string
  monthSpent: number
}

/** The highest versions win, in whatever order they come. */
export const mergeSpend = (sql: Sql, changes: SpendChange[]): Fragment => sql`
  update budget set
    applied_version = change.version, balance_version = change."balanceVersion", total_spent = change."totalSpent",
    day = change.day, day_spent = change."daySpent", month = change.month, month_spent = change."monthSpent"
  from ${recordset(
    sql,
    'change',
    {
      ...{ accountId: 'text', scope: 'text', subjectId: 'text', version: 'bigint', balanceVersion: 'bigint' },
      ...{ totalSpent: 'bigint', day: 'text', daySpent: 'bigint', month: 'text', monthSpent: 'bigint' },
    },
    changes,
  )}
  where (budget.account_id, budget.scope, budget.subject_id) = (change."accountId", change.scope, change."subjectId")
    and (budget.balance_version, budget.applied_version) < (change."balanceVersion", change.version)`
