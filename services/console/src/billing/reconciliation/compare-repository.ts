import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { PaymentFact, ReversalFact } from '../stripe/facts'
import type { ListedFact } from '../stripe/list-page'
import type { Reconciliation } from './reconciliation'

/** Payments that are stored as unmatched. An alert covers them already. */
const unmatched = (sql: TransactionSql) => sql`
  (select fact ->> 'paymentIntentId' from stripe_event where outcome in ('no_such_purchase', 'second_payment', 'other_mode'))`

export type PaymentRow = {
  id: string
  /** The purchase that this payment has paid, with the paid amount if known. */
  paidId: string | null
  amount: number | null
  currency: string | null
  /** The purchase that the payment's metadata names. */
  namedId: string | null
  isUnmatched: boolean
}

export const matchPayments = (sql: TransactionSql, facts: Pick<PaymentFact, 'paymentIntentId' | 'purchaseId'>[]) =>
  sql<PaymentRow[]>`
    select listed."paymentIntentId" as id, paid.id as "paidId", coalesce(paid.paid_amount, paid.amount) as amount,
      coalesce(paid.paid_currency, paid.currency) as currency, named.id as "namedId",
      coalesce(listed."paymentIntentId" in ${unmatched(sql)}, false) as "isUnmatched"
    from ${recordset(sql, 'listed', { paymentIntentId: 'text', purchaseId: 'uuid' }, facts)}
    left join purchase paid on paid.payment_intent_id = listed."paymentIntentId"
    left join purchase named on named.id = listed."purchaseId"`

export type ReversalRow = {
  id: string
  /** Null if it is not stored here. */
  status: string | null
  amount: number | null
  currency: string | null
  observedAt: Date | null
  purchaseId: string | null
  /** Of a payment that is stored here, or that this reconciliation has found to be ours. */
  isOurs: boolean
  /** Its status was received after its end, which doesn't change credits. */
  isReopened: boolean
}

export const matchReversals = (
  sql: TransactionSql,
  facts: Pick<ReversalFact, 'reversalId' | 'paymentIntentId' | 'status'>[],
  reconciliationId: string,
) =>
  sql<ReversalRow[]>`
    select listed."reversalId" as id, known.status, known.amount, known.currency, known.told_at as "observedAt", purchase.id as "purchaseId",
      purchase.id is not null or coalesce(listed."paymentIntentId" in ${unmatched(sql)}, false) or exists (
        select from stripe_listed where reconciliation_id = ${reconciliationId} and object_id = listed."paymentIntentId"
      ) as "isOurs",
      exists (
        select from stripe_event
        where outcome = 'reopened' and fact ->> 'reversalId' = listed."reversalId" and fact ->> 'status' = listed.status
      ) as "isReopened"
    from ${recordset(sql, 'listed', { reversalId: 'text', paymentIntentId: 'text', status: 'text' }, facts)}
    left join reversal known on known.id = listed."reversalId"
    left join purchase on purchase.payment_intent_id = listed."paymentIntentId"`

export type ListedRow = { objectId: string; fact: ListedFact | null; observedAt: Date; fault: string | null }

export const insertListed = (sql: TransactionSql, reconciliationId: string, rows: ListedRow[]) => sql`
  insert into stripe_listed (reconciliation_id, object_id, fact, told_at, fault)
  select ${reconciliationId}, "objectId", case when jsonb_typeof(fact) = 'object' then fact end, "observedAt", fault
  from ${recordset(sql, 'listed', { objectId: 'text', fact: 'jsonb', observedAt: 'timestamptz', fault: 'text' }, rows)}
  on conflict (reconciliation_id, object_id) do nothing`

/** Objects of a reconciliation that differed or could not be read, ordered by id after `after`. */
export const listDifferent = (sql: TransactionSql, reconciliationId: string, after: string, limit: number) =>
  sql<ListedRow[]>`
    select object_id as "objectId", fact, told_at as "observedAt", fault from stripe_listed
    where reconciliation_id = ${reconciliationId} and (fact is not null or fault is not null) and object_id > ${after}
    order by object_id limit ${limit}`

/** Counts the events of a reconciliation that are not applied yet. */
export async function countUnapplied(sql: Sql, idPrefix: string, reconciliationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from stripe_listed join stripe_event on stripe_event.id = ${idPrefix} || object_id
    where reconciliation_id = ${reconciliationId} and (stripe_listed.fact is not null or fault is not null) and applied_at is null`
  return row?.count ?? 0
}

type Compared = Pick<Reconciliation, 'id' | 'from' | 'to' | 'livemode'>

/** More than clocks differ. */
const margin = (sql: TransactionSql) => sql`interval '1 minute'`

/**
 * Purchases that are entirely within the period: nothing at Stripe is older than its purchase, or newer than when we
 * received it.
 */
const within = (sql: TransactionSql, { from, livemode }: Compared) =>
  sql`purchase.livemode = ${livemode} and purchase.created_at >= ${from}::timestamptz + ${margin(sql)}`

export type NotListed = { purchaseId: string; objectId: string; kind: string }

/** Rows that are stored here and that Stripe didn't list. */
export const listNotListed = (sql: TransactionSql, run: Compared, limit: number) =>
  sql<NotListed[]>`
    select "purchaseId", "objectId", kind from (
      select purchase.id as "purchaseId", payment_intent_id as "objectId", 'payment' as kind from purchase
      where ${within(sql, run)} and payment_intent_id is not null and paid_at < ${run.to}::timestamptz - ${margin(sql)}
      union all
      select purchase.id, reversal.id, reversal.kind from purchase join reversal using (payment_intent_id)
      where ${within(sql, run)} and greatest(reversal.created_at, told_at) < ${run.to}::timestamptz - ${margin(sql)}
    ) kept
    where not exists (select from stripe_listed where reconciliation_id = ${run.id} and object_id = "objectId")
    order by "purchaseId", "objectId" limit ${limit}`

/** Purchases of the period without a known end. */
export const listUnfinished = (sql: TransactionSql, run: Compared, limit: number) =>
  sql<{ id: string; accountId: string }[]>`
    select id, account_id as "accountId" from purchase
    where state in ('created', 'open', 'processing') and livemode = ${run.livemode} and created_at between ${run.from} and ${run.to}
    order by id limit ${limit}`
