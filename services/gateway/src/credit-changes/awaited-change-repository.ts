import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type * as answers from '@filmgate/proto/operator/account'
import type { NewChange } from './credit-change'

/** A grant or a debit above the limit, and who approved it; null while nobody has. */
export type AwaitedChange = NewChange & { approvedBy: string | null }

/** Nothing where the id is taken. */
export const insertAwaited = (sql: Sql, { id, accountId, kind, balance, credits, reason, operator, askedAt }: NewChange) => sql`
  insert into awaited_change (id, account_id, kind, balance, credits, reason, operator, asked_at)
  values (${id}, ${accountId}, ${kind}, ${balance}, ${credits}, ${reason}, ${operator}, ${askedAt})
  on conflict (id) do nothing`

export async function findAwaited(sql: Sql | TransactionSql, id: string): Promise<AwaitedChange | undefined> {
  const [row] = await sql<AwaitedChange[]>`select ${columns(sql)} from awaited_change where id = ${id}`
  return row
}

/** Whether this approved it: not where somebody has, nor where it is the approver's own. */
export async function approveAwaited(sql: TransactionSql, { id, by, at }: { id: string; by: string; at: Date }): Promise<boolean> {
  const { count } = await sql`
    update awaited_change set approved_by = ${by}, approved_at = ${at} where id = ${id} and approved_by is null and lower(trim(operator)) <> lower(trim(${by}))`
  return count > 0
}

/** Those that nobody has approved, oldest first. */
export const listAwaited = (sql: Sql, rowsMax: number) =>
  sql<AwaitedChange[]>`select ${columns(sql)} from awaited_change where approved_by is null order by asked_at, id limit ${rowsMax}`

const columns = (sql: Sql | TransactionSql) => sql`
  id, account_id as "accountId", kind, balance, credits, reason, operator, asked_at as "askedAt", approved_by as "approvedBy"`

export const awaitedView = (change: AwaitedChange): answers.AwaitedChange => ({
  id: change.id,
  account_id: change.accountId,
  kind: change.kind,
  balance: change.balance,
  credits: change.credits,
  reason: change.reason,
  operator: change.operator,
  state: 'awaiting_second',
  asked_at: change.askedAt.toISOString(),
})
