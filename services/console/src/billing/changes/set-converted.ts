import type { Sql } from '@filmgate/kit/database/postgres'
import { lockPurchase } from '../purchases/purchase-repository'
import { findReversal, updateConverted } from './change-repository'
import { lockPayment, planChanges, termsPaid } from './plan-changes'
import { isUnconverted } from './plan-reversals'

/** `set`, or the reason why nothing was set. */
export type SetConvertedResult = 'set' | 'not_wanted' | 'too_much'

/** Sets an operator's converted amount of a refund or dispute, if Stripe doesn't show it. */
export async function setConverted(
  sql: Sql,
  { id, paymentIntentId }: { id: string; paymentIntentId: string | null },
  { reversalId, amount }: { reversalId: string; amount: number },
): Promise<SetConvertedResult> {
  if (!paymentIntentId) return 'not_wanted'
  return sql.begin(async sql => {
    await lockPayment(sql, paymentIntentId)
    const purchase = await lockPurchase(sql, id)
    const reversal = await findReversal(sql, reversalId)
    if (purchase?.state !== 'paid' && purchase?.state !== 'granted') return 'not_wanted'
    if (reversal?.paymentIntentId !== paymentIntentId || !isUnconverted(termsPaid(purchase), reversal)) return 'not_wanted'
    if (amount > termsPaid(purchase).amount) return 'too_much'
    await updateConverted(sql, reversalId, amount)
    await planChanges(sql, purchase, paymentIntentId)
    return 'set'
  })
}
