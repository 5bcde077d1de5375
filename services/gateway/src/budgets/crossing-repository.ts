import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { BudgetPeriod, Subject } from './budget'

/** A reservation took the spend of a period to `percent` of its cap. `label`: which day or month, of a total `total`. */
export type Crossing = Subject & { period: BudgetPeriod; label: string; cap: number; percent: number; spent: number; at: Date }

/** The highest percent stands, however often and in whatever order they come. At most one of each cap and period. */
export const mergeCrossings = (sql: Sql, crossings: Crossing[]): Fragment => sql`
  insert into budget_crossing as known (account_id, scope, subject_id, period, label, cap, percent, spent, at, notice)
  select "accountId", scope, "subjectId", period, label, cap, percent, spent, at, gen_random_uuid()
  from ${recordset(
    sql,
    'crossing',
    {
      ...{ accountId: 'text', scope: 'text', subjectId: 'text', period: 'text', label: 'text' },
      ...{ cap: 'bigint', percent: 'int', spent: 'bigint', at: 'timestamptz' },
    },
    crossings,
  )}
  order by 1, 2, 3, 5, 6
  on conflict (account_id, scope, subject_id, label, cap) do update
  set percent = excluded.percent, spent = excluded.spent, at = excluded.at, notice = excluded.notice
  where known.percent < excluded.percent`

export type CrossingNotice = Crossing & { id: string; timeZone: string; keyName: string | null }

/** Those that nobody has taken, oldest first. `keyName`: of a key's budget. */
export const listCrossingNotices = (sql: Sql, rowsMax: number) =>
  sql<CrossingNotice[]>`
    select notice as id, crossing.account_id as "accountId", scope, subject_id as "subjectId", period, label, cap, percent, spent, at,
           time_zone as "timeZone", api_key.name as "keyName"
    from budget_crossing as crossing join account on account.id = crossing.account_id
    left join api_key on scope = 'key' and api_key.id = subject_id and api_key.account_id = crossing.account_id
    where notice is not null order by at, notice limit ${rowsMax}`

/** One that has crossed a higher threshold since has another id, and stays. */
export async function markCrossingsTaken(sql: Sql, ids: string[]): Promise<void> {
  await sql`update budget_crossing set notice = null where notice = any(${ids}::uuid[])`
}

/** Of days and months that are over for long, whether anybody took them or not. */
export async function deleteOldCrossings(sql: Sql, keptDays: number): Promise<void> {
  await sql`delete from budget_crossing where period <> 'total' and at < now() - ${keptDays} * interval '1 day'`
}
