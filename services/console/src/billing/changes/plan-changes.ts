import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { changesKind, convertKind } from '../job-kinds'
import type { Purchase } from '../purchases/purchase'
import { insertChanges, listReversals, updateConversions, updateCounted } from './change-repository'
import { isUnconverted, planReversals, type Reversal, type Terms } from './plan-reversals'

/**
 * Serializes the facts of a payment, including those that arrive before its purchase is known. Take this lock before
 * the purchase's.
 */
export const lockPayment = (sql: TransactionSql, paymentIntentId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${paymentIntentId}, 0))`

type PaidTerms = Pick<Purchase, 'credits' | 'amount' | 'currency' | 'paidAmount' | 'paidCurrency'>

/**
 * The terms that credits are divided by: the amount that was paid, which an operator may have accepted instead of the
 * pack's price.
 */
export const termsPaid = ({ credits, amount, currency, paidAmount, paidCurrency }: PaidTerms): Terms => ({
  credits,
  amount: paidAmount ?? amount,
  currency: paidCurrency ?? currency,
})

/**
 * Plans the grant of a payment, or of a free checkout, and the effect of earlier reversals. The caller has locked the
 * purchase.
 */
export async function planGrant(sql: TransactionSql, purchase: Purchase, source: string): Promise<void> {
  const { id, credits, packId, packVersion } = purchase
  const reason = `purchase ${id} of pack ${packId}, version ${packVersion}`
  await insertChanges(sql, id, [{ id: `stripe:${source}`, kind: 'grant', credits, reason }])
  await planChanges(sql, purchase, source)
}

/** Plans the changes that follow from a new fact. The caller has locked the purchase. */
export async function planChanges(sql: TransactionSql, purchase: Purchase, paymentIntentId: string): Promise<void> {
  await planCredits(sql, purchase, paymentIntentId)
  await requestConversions(sql, termsPaid(purchase), await listReversals(sql, paymentIntentId))
}

/** Plans debits and grants from what is known, without asking Stripe. The caller has locked the purchase. */
export async function planCredits(sql: TransactionSql, purchase: Purchase, paymentIntentId: string): Promise<void> {
  const plan = planReversals(termsPaid(purchase), await listReversals(sql, paymentIntentId))
  await updateCounted(sql, plan.counted)
  await insertChanges(sql, purchase.id, plan.changes)
  await insertJobs(sql, [{ kind: changesKind, id: purchase.id, fairnessKey: purchase.accountId }])
}

/**
 * Queues the conversion of reversals in other currencies whose share of the payment is unknown. Runs again with each
 * fact.
 */
async function requestConversions(sql: TransactionSql, terms: Terms, reversals: Reversal[]): Promise<void> {
  const ids = reversals.filter(reversal => isUnconverted(terms, reversal)).map(({ id }) => id)
  if (ids.length === 0) return
  await updateConversions(sql, ids, 'wanted')
  await insertJobs(
    sql,
    ids.map(id => ({ kind: convertKind, id })),
  )
}
