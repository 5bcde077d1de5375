import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { PlannedChange, Reversal } from './plan-reversals'

type AnySql = Sql | TransactionSql

export type PaymentChange = PlannedChange & { purchaseId: string; number: number; state: 'pending' | 'applied' | 'refused' }

/** At the end of the purchase's changes, in this order; its row is locked. */
export async function insertChanges(sql: TransactionSql, purchaseId: string, changes: PlannedChange[]): Promise<void> {
  for (const { id, kind, credits, reason } of changes)
    await sql`
      insert into payment_change (id, purchase_id, number, kind, credits, reason)
      select ${id}, ${purchaseId}, coalesce(max(number), 0) + 1, ${kind}, ${credits}, ${reason}
      from payment_change where purchase_id = ${purchaseId}`
}

/** The first that the ledger has not applied. */
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

/** Age in seconds of the oldest change that isn't applied; 0 where all are. */
export async function oldestUndecidedSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds from payment_change where state <> 'applied'`
  return row?.seconds ?? 0
}

const reversalColumns = (sql: AnySql) => sql`id, kind, amount, currency, converted_amount as converted, status, counted, changes`

export type Conversion = 'wanted' | 'done' | 'unknown'
export type KeptReversal = Reversal & { paymentIntentId: string; toldAt: Date; conversion: Conversion | null }

export async function findReversal(sql: AnySql, id: string): Promise<KeptReversal | undefined> {
  const [reversal] = await sql<KeptReversal[]>`
    select ${reversalColumns(sql)}, payment_intent_id as "paymentIntentId", told_at as "toldAt", conversion
    from reversal where id = ${id}`
  return reversal
}

export type ToldReversal = Pick<Reversal, 'id' | 'kind' | 'amount' | 'currency' | 'status'> & { paymentIntentId: string; toldAt: Date }

export const saveReversal = (sql: TransactionSql, { id, kind, paymentIntentId, amount, currency, status, toldAt }: ToldReversal) => sql`
  insert into reversal (id, kind, payment_intent_id, amount, currency, status, told_at)
  values (${id}, ${kind}, ${paymentIntentId}, ${amount}, ${currency}, ${status}, ${toldAt})
  on conflict (id) do update set
    amount = excluded.amount, currency = excluded.currency, status = excluded.status, told_at = excluded.told_at,
    converted_amount = case when (reversal.amount, reversal.currency) = (excluded.amount, excluded.currency) then reversal.converted_amount end`

/** Forgets what it was thought to be. */
export const updateConversions = (sql: TransactionSql, ids: string[], conversion: Exclude<Conversion, 'done'>) =>
  sql`update reversal set converted_amount = null, conversion = ${conversion} where id = any(${ids}::text[])`

/** An amount in another currency that is counted without a conversion stays counted so until Stripe is asked. The ids. */
export async function updateCountedWhole(sql: TransactionSql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update reversal set conversion = 'wanted', converted_amount = counted from purchase
    where purchase.payment_intent_id = reversal.payment_intent_id and counted > 0 and conversion is null
      and reversal.currency <> coalesce(purchase.paid_currency, purchase.currency)
    returning reversal.id`
  return rows.map(({ id }) => id)
}

/** What an amount in another currency is of the payment. */
export const updateConverted = (sql: TransactionSql, id: string, amount: number) =>
  sql`update reversal set converted_amount = ${amount}, conversion = 'done' where id = ${id}`

export const listReversals = (sql: TransactionSql, paymentIntentId: string) =>
  sql<Reversal[]>`select ${reversalColumns(sql)} from reversal where payment_intent_id = ${paymentIntentId} order by created_at, id`

export async function updateCounted(sql: TransactionSql, counted: Pick<Reversal, 'id' | 'counted' | 'changes'>[]): Promise<void> {
  for (const { id, counted: amount, changes } of counted)
    await sql`update reversal set counted = ${amount}, changes = ${changes} where id = ${id}`
}
