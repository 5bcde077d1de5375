import type { Sql } from '@filmgate/kit/database/postgres'
import { isWhollyOut } from '../changes/plan-reversals'
import { listUnmatched } from './event-repository'

/** A larger number would not change what to do. */
const countedMax = 1_000

/**
 * Counts payments that granted no credits and were not sent back: second payments and payments of unknown purchases.
 */
export async function countUnmatched(sql: Sql): Promise<number> {
  const payments = await listUnmatched(sql, countedMax)
  return payments.filter(({ amount, currency, reversals }) => !isWhollyOut({ credits: 1, amount, currency }, reversals)).length
}
