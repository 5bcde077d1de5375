import type { Sql } from '@filmgate/kit/database/postgres'
import { isPurchaseId, type Purchase } from './purchase'
import { columns } from './purchase-repository'

/** Purchases with this id: ours, or Stripe's of the payment or the checkout session. */
export const searchPurchases = (sql: Sql, id: string) =>
  sql<Purchase[]>`
    select ${columns(sql)} from purchase
    where ${isPurchaseId(id) ? sql`id = ${id}` : sql`payment_intent_id = ${id} or session_id = ${id}`} order by id desc`
