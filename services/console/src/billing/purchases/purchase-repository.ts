import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Reversal } from '../changes/plan-reversals'
import type { ListedPurchase, NewPurchase, Purchase } from './purchase'
import type { PurchaseState } from './purchase-states'

type AnySql = Sql | TransactionSql

/** The columns of `Purchase`. */
export const columns = (sql: AnySql) => sql`
  purchase.id, purchase.account_id as "accountId", purchase.person_id as "personId", purchase.pack_id as "packId",
  purchase.pack_version as "packVersion", purchase.pack_name as "packName", purchase.credits, purchase.amount, purchase.currency,
  purchase.livemode, purchase.state, purchase.session_id as "sessionId", purchase.checkout_url as "checkoutUrl",
  purchase.payment_intent_id as "paymentIntentId", purchase.invoice_id as "invoiceId", purchase.review,
  purchase.paid_amount as "paidAmount", purchase.paid_currency as "paidCurrency",
  purchase.created_at as "createdAt", purchase.heard_at as "lastEventAt"`

/** False if a purchase with this id exists. */
export async function insertPurchase(sql: AnySql, purchase: NewPurchase): Promise<boolean> {
  const { id, accountId, personId, packId, packVersion, packName, credits, amount, currency, livemode } = purchase
  const rows = await sql`
    insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode)
    values (${id}, ${accountId}, ${personId}, ${packId}, ${packVersion}, ${packName}, ${credits}, ${amount}, ${currency}, ${livemode})
    on conflict (id) do nothing returning id`
  return rows.length === 1
}

export async function findPurchase(sql: AnySql, id: string): Promise<Purchase | undefined> {
  const [purchase] = await sql<Purchase[]>`select ${columns(sql)} from purchase where id = ${id}`
  return purchase
}

/** For pages: only of this account. */
export async function findPurchaseOf(sql: Sql, accountId: string, id: string): Promise<Purchase | undefined> {
  const [purchase] = await sql<Purchase[]>`select ${columns(sql)} from purchase where id = ${id} and account_id = ${accountId}`
  return purchase
}

/** Locks the row until the end of the transaction. */
export async function lockPurchase(sql: TransactionSql, id: string): Promise<Purchase | undefined> {
  const [purchase] = await sql<Purchase[]>`select ${columns(sql)} from purchase where id = ${id} for update`
  return purchase
}

export async function findPurchaseOfPayment(sql: AnySql, paymentIntentId: string): Promise<Purchase | undefined> {
  const [purchase] = await sql<Purchase[]>`select ${columns(sql)} from purchase where payment_intent_id = ${paymentIntentId}`
  return purchase
}

export async function lockPurchaseOfPayment(sql: TransactionSql, paymentIntentId: string): Promise<Purchase | undefined> {
  const [purchase] = await sql<Purchase[]>`select ${columns(sql)} from purchase where payment_intent_id = ${paymentIntentId} for update`
  return purchase
}

/** Credits of a closed account can't be spent. */
export async function isClosed(sql: AnySql, accountId: string): Promise<boolean> {
  const rows = await sql`select 1 from account where id = ${accountId} and closed_at is not null`
  return rows.length > 0
}

/** A purchase with the credits that were taken back. */
const listed = (sql: Sql) => sql`
    select ${columns(sql)}, coalesce(taken.credits, 0) as "takenCredits", exists (
      select from reversal where reversal.payment_intent_id = purchase.payment_intent_id and kind = 'dispute' and counted > 0
    ) as "isDisputed"
    from purchase left join lateral (
      select sum(case payment_change.kind when 'debit' then payment_change.credits else -payment_change.credits end)::bigint as credits
      from payment_change where purchase_id = purchase.id and number > 1
    ) taken on true`

/** Newest first, `limit` rows, with ids below `before` if given. */
export const listPurchases = (sql: Sql, accountId: string, limit: number, before?: string) =>
  sql<ListedPurchase[]>`
    ${listed(sql)} where account_id = ${accountId} ${before ? sql`and id < ${before}` : sql``} order by id desc limit ${limit}`

/** For pages: only of this account. */
export async function findListedPurchase(sql: Sql, accountId: string, id: string): Promise<ListedPurchase | undefined> {
  const [purchase] = await sql<ListedPurchase[]>`${listed(sql)} where account_id = ${accountId} and id = ${id}`
  return purchase
}

/**
 * Locks the account's purchases that are neither granted nor in review until the end of the transaction. Returns their
 * states.
 */
export async function lockUngranted(sql: TransactionSql, accountId: string): Promise<PurchaseState[]> {
  const rows = await sql<{ state: PurchaseState }[]>`
    select state from purchase where account_id = ${accountId} and state not in ('granted', 'review') order by id for update`
  return rows.map(({ state }) => state)
}

/** The ids of purchases that can still be paid. */
export async function listUnpaid(sql: AnySql, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from purchase where account_id = ${accountId} and state in ('created', 'open')`
  return rows.map(({ id }) => id)
}

/** Counts the purchases created since then. */
export async function countPurchasesSince(sql: Sql, accountId: string, since: Date): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*) as count from purchase where account_id = ${accountId} and created_at > ${since}`
  return row?.count ?? 0
}

export type PurchaseUpdate = {
  state: PurchaseState
  sessionId?: string | null | undefined
  checkoutUrl?: string | null | undefined
  paymentIntentId?: string | null | undefined
  invoiceId?: string | null | undefined
  review?: string | null | undefined
  paid?: { amount: number; currency: string } | undefined
}

/** Known values are not overwritten. */
export const updatePurchase = (sql: TransactionSql, id: string, update: PurchaseUpdate) => sql`
  update purchase set
    state = ${update.state}, heard_at = now(),
    session_id = coalesce(session_id, ${update.sessionId ?? null}), checkout_url = coalesce(checkout_url, ${update.checkoutUrl ?? null}),
    payment_intent_id = coalesce(payment_intent_id, ${update.paymentIntentId ?? null}),
    invoice_id = coalesce(invoice_id, ${update.invoiceId ?? null}), review = coalesce(review, ${update.review ?? null}),
    paid_amount = coalesce(paid_amount, ${update.paid?.amount ?? null}), paid_currency = coalesce(paid_currency, ${update.paid?.currency ?? null}),
    paid_at = case when ${update.state} = 'paid' then coalesce(paid_at, now()) else paid_at end,
    granted_at = case when ${update.state} = 'granted' then coalesce(granted_at, now()) else granted_at end
  where id = ${id}`

export type PurchaseWithReversals = Purchase & { reversals: Reversal[] }

/**
 * Purchases in review with a known payment, and purchases with a reversal whose share is unknown, with their reversals.
 * Oldest first; of all accounts or of one.
 */
export const listInReview = (sql: Sql, limit: number, accountId?: string) =>
  sql<PurchaseWithReversals[]>`
    select ${columns(sql)}, ${reversalsOf(sql)} as reversals from purchase
    where (state = 'review' and payment_intent_id is not null
      or payment_intent_id in (select payment_intent_id from reversal where conversion = 'unknown'))
    ${accountId ? sql`and account_id = ${accountId}` : sql``}
    order by id limit ${limit}`

/** The reversals of the purchase, ordered by when they were first seen, which is the order in which they are summed. */
export const reversalsOf = (sql: Sql) => sql`
  (select coalesce(json_agg(json_build_object(
     'id', id, 'kind', kind, 'amount', amount, 'currency', currency, 'converted', converted_amount, 'status', status, 'counted', counted, 'changes', changes
   ) order by created_at, id), '[]') from reversal where reversal.payment_intent_id = purchase.payment_intent_id)`
