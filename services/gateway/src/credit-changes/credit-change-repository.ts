import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { ChangeTerms, CreditChange, NewChange } from './credit-change'

/** Inserts the changes whose id is free, and their events; returns the ids inserted. */
export async function insertChanges(sql: Sql | TransactionSql, changes: NewChange[], events: Fragment): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    with fresh as (
      insert into credit_change (id, account_id, kind, balance, credits, reason, operator, beyond_balance, asked_at)
      select id, "accountId", kind, balance, credits, reason, operator, coalesce("beyondBalance", false), "askedAt"
      from ${recordset(
        sql,
        'row',
        {
          id: 'text',
          accountId: 'text',
          kind: 'text',
          balance: 'text',
          credits: 'bigint',
          reason: 'text',
          operator: 'text',
          beyondBalance: 'boolean',
          askedAt: 'timestamptz',
        },
        changes,
      )}
      on conflict (id) do nothing
      returning id
    ), sent as (${events} where event.subject in (select id from fresh))
    select id from fresh`
  return new Set(rows.map(row => row.id))
}

export async function findChange(sql: Sql, id: string): Promise<CreditChange | undefined> {
  const [row] = await sql<CreditChange[]>`select ${changeColumns(sql)} from credit_change where id = ${id}`
  return row
}

/** The ledger's decision on a change; `refusal` is null where it was applied. */
export type ChangeDecision = Pick<CreditChange, Exclude<keyof ChangeTerms, 'beyondBalance'> | 'refusal'> & {
  available: number
  starter: number
  owed: number
  at: Date
}

/** The first decision stands; one on other terms under this id is not this change's. */
export const decideChanges = (sql: Sql, decisions: ChangeDecision[]): Fragment => sql`
  update credit_change as change
  set state = case when decision.refusal is null then 'applied' else 'declined' end, refusal = decision.refusal,
      available = decision.available, starter = decision.starter, owed = decision.owed, decided_at = decision.at
  from ${recordset(
    sql,
    'decision',
    {
      id: 'text',
      accountId: 'text',
      kind: 'text',
      balance: 'text',
      credits: 'bigint',
      reason: 'text',
      refusal: 'text',
      available: 'bigint',
      starter: 'bigint',
      owed: 'bigint',
      at: 'timestamptz',
    },
    decisions,
  )}
  where change.id = decision.id and change.state = 'pending'
    and (change.account_id, change.kind, change.balance, change.credits, change.reason)
      = (decision."accountId", decision.kind, decision.balance, decision.credits, decision.reason)`

/** An account's, newest first. */
export const listChanges = (sql: Sql, accountId: string, rowsMax: number) =>
  sql<CreditChange[]>`
    select ${changeColumns(sql)} from credit_change where account_id = ${accountId} order by asked_at desc, id limit ${rowsMax}`

/** From before `position`, newest first. */
export const listChangesFrom = (
  sql: Sql,
  { accountId, position, rowsMax }: { accountId: string; position: { askedAt: Date; id: string } | undefined; rowsMax: number },
) =>
  sql<CreditChange[]>`
    select ${changeColumns(sql)} from credit_change
    where account_id = ${accountId} ${position ? sql`and (asked_at, id) < (${position.askedAt}, ${position.id})` : sql``}
    order by asked_at desc, id desc limit ${rowsMax}`

const changeColumns = (sql: Sql) => sql`
  id, account_id as "accountId", kind, balance, credits, reason, operator, asked_at as "askedAt", state, refusal, available, starter, owed,
  beyond_balance as "beyondBalance", decided_at as "decidedAt"`
