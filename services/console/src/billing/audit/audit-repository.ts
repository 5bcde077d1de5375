import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Reversal } from '../changes/plan-reversals'
import type { AuditedChange, AuditedPurchase, Finding } from './check-purchase'

/** An arbitrary number that all sales audits share. */
export const advisoryLock = 726_160

/** Allows one run at a time across all replicas: the lock is held until the connection ends. */
export async function tryLock(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${advisoryLock}) as taken`
  return row?.taken === true
}

/** The next `limit` rows by id after `after`. */
export const listPurchasesAfter = (sql: TransactionSql, after: string, limit: number) =>
  sql<AuditedPurchase[]>`
    select id, state, credits, amount, currency, paid_amount as "paidAmount", paid_currency as "paidCurrency",
      payment_intent_id as "paymentIntentId"
    from purchase where id > ${after} order by id limit ${limit}`

/** Ordered by when they were first seen, which is the order in which they are summed. */
export const listReversalsOf = (sql: TransactionSql, paymentIntentIds: string[]) =>
  sql<(Reversal & { paymentIntentId: string })[]>`
    select id, kind, amount, currency, converted_amount as converted, status, counted, changes, payment_intent_id as "paymentIntentId"
    from reversal where payment_intent_id = any(${paymentIntentIds}::text[]) order by created_at, id`

export const listChangesOf = (sql: TransactionSql, purchaseIds: string[]) =>
  sql<(AuditedChange & { purchaseId: string })[]>`
    select id, kind, credits, state, purchase_id as "purchaseId",
      case when state <> 'applied' then extract(epoch from now() - created_at)::float8 end as "waitedSeconds"
    from payment_change where purchase_id = any(${purchaseIds}::uuid[]) order by purchase_id, number`

export type AuditedReversal = Pick<Reversal, 'id' | 'kind' | 'counted'> & { isSold: boolean }

/** The next `limit` rows by id after `after`, with whether a purchase has their payment. */
export const listReversalsAfter = (sql: Sql, after: string, limit: number) =>
  sql<AuditedReversal[]>`
    select reversal.id, reversal.kind, counted, purchase.id is not null as "isSold"
    from reversal left join purchase on purchase.payment_intent_id = reversal.payment_intent_id
    where reversal.id > ${after} order by reversal.id limit ${limit}`

/** `total` counts all findings; only the first are stored. */
export type SalesAudit = { purchases: number; total: number; findings: Finding[] }

export const insertSalesAudit = (sql: Sql, { purchases, total, findings }: SalesAudit) => sql`
  insert into payment_audit (purchases, total, findings) values (${purchases}, ${total}, ${sql.json(findings)})`

export type LastSalesAudit = SalesAudit & { at: Date; ageSeconds: number }

/** The last audit by any replica. */
export async function findLastSalesAudit(sql: Sql): Promise<LastSalesAudit | undefined> {
  const [row] = await sql<LastSalesAudit[]>`
    select at, purchases, total, findings, extract(epoch from now() - at)::float8 as "ageSeconds"
    from payment_audit order by at desc limit 1`
  return row
}

export const deleteSalesAudits = (sql: Sql, keptDays: number) =>
  sql`delete from payment_audit where at < now() - ${keptDays} * interval '1 day'`
