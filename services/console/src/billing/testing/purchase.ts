import type { Sql } from '@filmgate/kit/database/postgres'
import { uuidv7 } from 'uuidv7'
import type { Purchase } from '../purchases/purchase'
import { insertPurchase } from '../purchases/purchase-repository'

/** A new purchase of an account of its own. */
export function purchaseForTests(more: Partial<Purchase> = {}): Purchase {
  const id = uuidv7()
  return {
    ...{ id, accountId: `a-${id}`, personId: 'p1', packId: 'small', packVersion: 1, packName: 'Small' },
    ...{ credits: 1_000, amount: 999, currency: 'usd', livemode: false, state: 'created', createdAt: new Date() },
    ...{ sessionId: null, checkoutUrl: null, paymentIntentId: null, invoiceId: null, review: null, lastEventAt: null },
    ...{ paidAmount: null, paidCurrency: null },
    ...more,
  }
}

export async function insertTestPurchase(sql: Sql, more: Partial<Purchase> = {}): Promise<Purchase> {
  const purchase = purchaseForTests(more)
  await insertPurchase(sql, purchase)
  return purchase
}
