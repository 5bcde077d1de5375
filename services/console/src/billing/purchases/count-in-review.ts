import type { Sql } from '@filmgate/kit/database/postgres'
import { termsPaid } from '../changes/plan-changes'
import { isWhollyOut } from '../changes/plan-reversals'
import { listInReview } from './purchase-repository'

/** More is as bad: somebody has to look. */
const countedMax = 1_000

/** How many purchases somebody has to accept or to send back: there is money of theirs here. A payment that is not known has brought none. */
export async function countInReview(sql: Sql): Promise<number> {
  const waiting = await listInReview(sql, countedMax)
  return waiting.filter(purchase => !isWhollyOut(termsPaid(purchase), purchase.reversals)).length
}
