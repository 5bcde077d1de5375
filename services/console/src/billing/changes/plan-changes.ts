import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { changesKind, convertKind } from '../job-kinds'
import type { Purchase } from '../purchases/purchase'
import { insertChanges, listReversals, updateConversions, updateCounted } from './change-repository'
import { isUnconverted, planReversals, type Reversal, type Terms } from './plan-reversals'

/** A payment's facts one after another, also those that come before its purchase is known. Before the lock of the purchase. */
export const lockPayment = (sql: TransactionSql, paymentIntentId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${paymentIntentId}, 0))`

type Paid = Pick<Purchase, 'credits' | 'amount' | 'currency' | 'paidAmount' | 'paidCurrency'>

/** What the credits of a purchase are shared out over: what was paid, which a person may have accepted in place of the pack's amount. */
export const termsPaid = ({ credits, amount, currency, paidAmount, paidCurrency }: Paid): Terms => ({
  credits,
  amount: paidAmount ?? amount,
  currency: paidCurrency ?? currency,
})

/**
 * The grant of a payment, or of a checkout with nothing to pay, and what follows from what went back of it before. The
 * purchase is locked.
 */
export async function planGrant(sql: TransactionSql, purchase: Purchase, source: string): Promise<void> {
  const { id, credits, packId, packVersion } = purchase
  const reason = `purchase ${id} of pack ${packId}, version ${packVersion}`
  await insertChanges(sql, id, [{ id: `stripe:${source}`, kind: 'grant', credits, reason }])
  await planChanges(sql, purchase, source)
}

/** What follows from a new fact. The purchase is locked. */
export async function planChanges(sql: TransactionSql, purchase: Purchase, paymentIntentId: string): Promise<void> {
  await planCredits(sql, purchase, paymentIntentId)
  await wantConversions(sql, termsPaid(purchase), await listReversals(sql, paymentIntentId))
}

/** The debits and grants that follow from what is known, without asking Stripe for more. The purchase is locked. */
export async function planCredits(sql: TransactionSql, purchase: Purchase, paymentIntentId: string): Promise<void> {
  const plan = planReversals(termsPaid(purchase), await listReversals(sql, paymentIntentId))
  await updateCounted(sql, plan.counted)
  await insertChanges(sql, purchase.id, plan.changes)
  await insertJobs(sql, [{ kind: changesKind, id: purchase.id, fairnessKey: purchase.accountId }])
}

/**
 * Of what is out in another currency Stripe is asked what it is of the payment, again with each fact while that is not
 * known.
 */
async function wantConversions(sql: TransactionSql, terms: Terms, reversals: Reversal[]): Promise<void> {
  const ids = reversals.filter(reversal => isUnconverted(terms, reversal)).map(({ id }) => id)
  if (ids.length === 0) return
  await updateConversions(sql, ids, 'wanted')
  await insertJobs(
    sql,
    ids.map(id => ({ kind: convertKind, id })),
  )
}
