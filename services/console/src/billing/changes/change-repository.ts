import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { PlannedChange, Reversal } from './plan-reversals'

type AnySql = Sql | TransactionSql

export type PaymentChange = PlannedChange & { purchaseId: string; number: number; state: 'pending' | 'applied' | 'refused' }

/** Appends changes to the purchase, in this order. The caller has locked the purchase. */
export async function insertChanges(sql: TransactionSql, purchaseId: string, changes: PlannedChange[]): Promise<void> {
  for (const { id, kind, credits, reason } of changes)
    await sql`
      insert into payment_change (id, purchase_id, number, kind, credits, reason)
      select ${id}, ${purchaseId}, coalesce(max(number), 0) + 1, ${kind}, ${credits}, ${reason}
      from payment_change where purchase_id = ${purchaseId}`
}

/** The purchase's first change that the ledger has not applied. */
export async function findNextChange(sql: AnySql, purchaseId: string): Promise<PaymentChange | undefined> {
  const [change] = await sql<PaymentChange[]>`
    select id, purchase_id as "purchaseId", number, kind, credits, reason, state from payment_change
    where purchase_id = ${purchaseId} and state <> 'applied' order by number limit 1`
  return change
}

export async function updateChange(
  sql: AnySql,
  id: string,
  decided: { state: 'applied' | 'refused'; refusal?: string; owed?: number },
): Promise<void> {
  await sql`
    update payment_change set state = ${decided.state}, refusal = ${decided.refusal ?? null}, owed = ${decided.owed ?? null}, decided_at = now()
    where id = ${id}`
}

/** Age in seconds of the oldest change that is not applied; 0 if there is none. */
export async function oldestUnappliedChangeSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds from payment_change where state <> 'applied'`
  return row?.seconds ?? 0
}

const reversalColumns = (sql: AnySql) => sql`id, kind, amount, currency, converted_amount as converted, status, counted, changes`

export type Conversion = 'wanted' | 'done' | 'unknown'
export type StoredReversal = Reversal & { paymentIntentId: string; observedAt: Date; conversion: Conversion | null }

export async function findReversal(sql: AnySql, id: string): Promise<StoredReversal | undefined> {
  const [reversal] = await sql<StoredReversal[]>`
    select ${reversalColumns(sql)}, payment_intent_id as "paymentIntentId", told_at as "observedAt", conversion
    from reversal where id = ${id}`
  return reversal
}

export type NewReversal = Pick<Reversal, 'id' | 'kind' | 'amount' | 'currency' | 'status'> & { paymentIntentId: string; observedAt: Date }

export const saveReversal = (sql: TransactionSql, { id, kind, paymentIntentId, amount, currency, status, observedAt }: NewReversal) => sql`
  insert into reversal (id, kind, payment_intent_id, amount, currency, status, told_at)
  values (${id}, ${kind}, ${paymentIntentId}, ${amount}, ${currency}, ${status}, ${observedAt})
  on conflict (id) do update set
    amount = excluded.amount, currency = excluded.currency, status = excluded.status, told_at = excluded.told_at,
    converted_amount = case when (reversal.amount, reversal.currency) = (excluded.amount, excluded.currency) then reversal.converted_amount end`

/** Resets the converted amount. */
export const updateConversions = (sql: TransactionSql, ids: string[], conversion: Exclude<Conversion, 'done'>) =>
  sql`update reversal set converted_amount = null, conversion = ${conversion} where id = any(${ids}::text[])`

/**
 * Marks amounts in other currencies that were counted without a conversion; they stay counted until Stripe is asked.
 * Returns the ids.
 */
export async function requestConversionOfCounted(sql: TransactionSql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update reversal set conversion = 'wanted', converted_amount = counted from purchase
    where purchase.payment_intent_id = reversal.payment_intent_id and counted > 0 and conversion is null
      and reversal.currency <> coalesce(purchase.paid_currency, purchase.currency)
    returning reversal.id`
  return rows.map(({ id }) => id)
}

/** Stores the amount converted to the payment's currency. */
export const updateConverted = (sql: TransactionSql, id: string, amount: number) =>
  sql`update reversal set converted_amount = ${amount}, conversion = 'done' where id = ${id}`

export const listReversals = (sql: TransactionSql, paymentIntentId: string) =>
  sql<Reversal[]>`select ${reversalColumns(sql)} from reversal where payment_intent_id = ${paymentIntentId} order by created_at, id`

export async function updateCounted(sql: TransactionSql, counted: Pick<Reversal, 'id' | 'counted' | 'changes'>[]): Promise<void> {
  for (const { id, counted: amount, changes } of counted)
    await sql`update reversal set counted = ${amount}, changes = ${changes} where id = ${id}`
}
