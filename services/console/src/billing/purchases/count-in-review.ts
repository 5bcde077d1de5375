import type { Sql } from '@filmgate/kit/database/postgres'
import { termsPaid } from '../changes/plan-changes'
import { isUnconverted, isWhollyOut } from '../changes/plan-reversals'
import { listInReview, type PurchaseWithReversals } from './purchase-repository'

/** A larger number would not change what to do. */
const countedMax = 1_000

/** Counts the purchases that an operator has to decide. */
export async function countInReview(sql: Sql): Promise<number> {
  return (await listUndecided(sql)).length
}

/**
 * Purchases that an operator has to decide: paid differently from the pack's terms with money remaining, or with a
 * reversal whose share of the payment is unknown.
 */
export async function listUndecided(sql: Sql, accountId?: string): Promise<PurchaseWithReversals[]> {
  const reviewed = await listInReview(sql, countedMax, accountId)
  return reviewed.filter(purchase => {
    const terms = termsPaid(purchase)
    if (purchase.state !== 'review') return purchase.reversals.some(each => isUnconverted(terms, each))
    return !isWhollyOut(terms, purchase.reversals)
  })
}
