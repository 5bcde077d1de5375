import type { Sql } from '@filmgate/kit/database/postgres'
import { termsPaid } from '../changes/plan-changes'
import { isWhollyOut } from '../changes/plan-reversals'
import { listInReview, type WithReversals } from './purchase-repository'

/** More is as bad: somebody has to look. */
const countedMax = 1_000

/** How many purchases somebody has to accept or to send back. */
export async function countInReview(sql: Sql): Promise<number> {
  return (await listUndecided(sql)).length
}

/** Those purchases: there is money of theirs here. A payment that is not known has brought none. */
export async function listUndecided(sql: Sql, accountId?: string): Promise<WithReversals[]> {
  const reviewed = await listInReview(sql, countedMax, accountId)
  return reviewed.filter(purchase => !isWhollyOut(termsPaid(purchase), purchase.reversals))
}
