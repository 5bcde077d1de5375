import type { Sql } from '@filmgate/kit/database/postgres'
import { isWhollyOut } from '../changes/plan-reversals'
import { listUnmatched } from './event-repository'

/** More is as bad: somebody has to look. */
const countedMax = 1_000

/** How many payments have brought nobody credits and are not sent back: a second one of a purchase, and one of a purchase that is not known here. */
export async function countUnmatched(sql: Sql): Promise<number> {
  const payments = await listUnmatched(sql, countedMax)
  return payments.filter(({ amount, currency, reversals }) => !isWhollyOut({ credits: 1, amount, currency }, reversals)).length
}
