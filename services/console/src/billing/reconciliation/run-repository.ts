import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Finding } from '../audit/check-purchase'
import type { StripeList } from '../stripe/list-page'
import type { Reconciliation } from './reconciliation'

type AnySql = Sql | TransactionSql

export type NewReconciliation = Pick<Reconciliation, 'id' | 'requestedBy' | 'from' | 'to' | 'dryRun' | 'livemode'> & {
  reason: string | null
}

/** False if one with this id exists, or another manual one is running. */
export async function insertReconciliation(sql: AnySql, run: NewReconciliation): Promise<boolean> {
  const { id, requestedBy, reason, from, to, dryRun, livemode } = run
  const rows = await sql`
    insert into stripe_reconciliation (id, requested_by, reason, from_at, to_at, dry_run, livemode)
    values (${id}, ${requestedBy}, ${reason}, ${from}, ${to}, ${dryRun}, ${livemode})
    on conflict do nothing returning id`
  return rows.length === 1
}

const columns = (sql: AnySql) => sql`
  id, requested_by as "requestedBy", from_at as "from", to_at as "to", dry_run as "dryRun", livemode, state, step, after, pages,
  charges, refunds, disputes, missed, total, findings, fault, created_at as "createdAt", ended_at as "endedAt"`

export async function findReconciliation(sql: AnySql, id: string): Promise<Reconciliation | undefined> {
  const [run] = await sql<Reconciliation[]>`select ${columns(sql)} from stripe_reconciliation where id = ${id}`
  return run
}

/** Newest first. */
export const listReconciliations = (sql: AnySql, limit: number) =>
  sql<Reconciliation[]>`select ${columns(sql)} from stripe_reconciliation order by created_at desc, id limit ${limit}`

export type Progress = { list: StripeList; step: Reconciliation['step']; after: string | undefined; count: number; missed: number }

/** Stores the progress after a page. */
export const updateProgress = (sql: TransactionSql, id: string, { list, step, after, count, missed }: Progress) => sql`
  update stripe_reconciliation set step = ${step}, after = ${after ?? null}, pages = pages + 1, missed = missed + ${missed},
    charges = charges + ${list === 'charges' ? count : 0}, refunds = refunds + ${list === 'refunds' ? count : 0},
    disputes = disputes + ${list === 'disputes' ? count : 0}
  where id = ${id}`

export const endReconciliation = (sql: TransactionSql, id: string, found: { total: number; findings: Finding[] }) => sql`
  update stripe_reconciliation set state = 'done', total = ${found.total}, findings = ${sql.json(found.findings)}, ended_at = now()
  where id = ${id}`

export const failReconciliation = (sql: TransactionSql, id: string, fault: string) =>
  sql`update stripe_reconciliation set state = 'failed', fault = ${fault}, ended_at = now() where id = ${id}`

export const deleteListed = (sql: TransactionSql, id: string) => sql`delete from stripe_listed where reconciliation_id = ${id}`

export const deleteReconciliations = (sql: Sql, keptDays: number) =>
  sql`delete from stripe_reconciliation where created_at < now() - ${keptDays} * interval '1 day' and state <> 'running'`

/** Seconds since the last completed daily run; undefined if there was none. */
export async function secondsSinceDaily(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from now() - max(ended_at))::float8 as seconds from stripe_reconciliation
    where state = 'done' and requested_by is null and created_at > now() - interval '90 days' having max(ended_at) is not null`
  return row?.seconds
}
