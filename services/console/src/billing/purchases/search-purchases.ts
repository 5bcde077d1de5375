import type { Sql } from '@filmgate/kit/database/postgres'
import type { Purchase } from './purchase'
import { columns } from './purchase-repository'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Purchases with this id: ours, or Stripe's of the payment or the checkout session. */
export const searchPurchases = (sql: Sql, id: string) =>
  sql<Purchase[]>`
    select ${columns(sql)} from purchase
    where ${uuid.test(id) ? sql`id = ${id}` : sql`payment_intent_id = ${id} or session_id = ${id}`} order by id desc`
