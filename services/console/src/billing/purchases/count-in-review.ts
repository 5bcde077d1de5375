import type { Sql } from '@filmgate/kit/database/postgres'
import { termsPaid } from '../changes/plan-changes'
import { isUnconverted, isWhollyOut } from '../changes/plan-reversals'
import { listInReview, type WithReversals } from './purchase-repository'

/** More is as bad: somebody has to look. */
const countedMax = 1_000

/** How many purchases somebody has to decide. */
export async function countInReview(sql: Sql): Promise<number> {
  return (await listUndecided(sql)).length
}

/**
 * Those purchases: paid otherwise than the pack says, with money of theirs here (a payment that is not known has
 * brought none), or with money out whose share of the payment is not known.
 */
export async function listUndecided(sql: Sql, accountId?: string): Promise<WithReversals[]> {
  const reviewed = await listInReview(sql, countedMax, accountId)
  return reviewed.filter(purchase => {
    const terms = termsPaid(purchase)
    if (purchase.state !== 'review') return purchase.reversals.some(each => isUnconverted(terms, each))
    return !isWhollyOut(terms, purchase.reversals)
  })
}
