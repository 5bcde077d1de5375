import type { Sql } from '@filmgate/kit/database/postgres'
import { listReversals } from '../changes/change-repository'
import { lockPayment, planGrant, termsPaid } from '../changes/plan-changes'
import { isWhollyOut } from '../changes/plan-reversals'
import { findPurchase, isClosed, lockPurchase, updatePurchase } from './purchase-repository'
import { nextState } from './purchase-states'

/** `accepted`, or the reason why not. */
export type AcceptResult = 'accepted' | 'not_in_review' | 'not_paid' | 'account_closed' | 'money_is_out'

/**
 * Accepts a payment that differs from the pack's terms. The pack's credits are granted under the payment's id; later
 * refunds and disputes take their share.
 */
export async function acceptPurchase(sql: Sql, id: string): Promise<AcceptResult> {
  const paymentIntentId = (await findPurchase(sql, id))?.paymentIntentId
  return sql.begin(async sql => {
    if (paymentIntentId) await lockPayment(sql, paymentIntentId)
    const purchase = await lockPurchase(sql, id)
    if (purchase?.state !== 'review') return 'not_in_review'
    if (!paymentIntentId) return 'not_paid'
    if (await isClosed(sql, purchase.accountId)) return 'account_closed'
    if (isWhollyOut(termsPaid(purchase), await listReversals(sql, paymentIntentId))) return 'money_is_out'
    await updatePurchase(sql, id, { state: nextState(purchase.state, 'accepted') })
    await planGrant(sql, purchase, paymentIntentId)
    return 'accepted'
  })
}
