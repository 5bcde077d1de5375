import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { changesKind } from '../job-kinds'
import type { Purchase } from '../purchases/purchase'
import { insertChanges, listReversals, updateCounted } from './change-repository'
import { planReversals, type Terms } from './plan-reversals'

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

/** The grant of a payment, and what follows from what went back of it before. The purchase is locked. */
export async function planGrant(sql: TransactionSql, purchase: Purchase, paymentIntentId: string): Promise<void> {
  const { id, credits, packId, packVersion } = purchase
  const reason = `purchase ${id} of pack ${packId}, version ${packVersion}`
  await insertChanges(sql, id, [{ id: `stripe:${paymentIntentId}`, kind: 'grant', credits, reason }])
  await planChanges(sql, purchase, paymentIntentId)
}

export async function planChanges(sql: TransactionSql, purchase: Purchase, paymentIntentId: string): Promise<void> {
  const plan = planReversals(termsPaid(purchase), await listReversals(sql, paymentIntentId))
  await updateCounted(sql, plan.counted)
  await insertChanges(sql, purchase.id, plan.changes)
  await insertJobs(sql, [{ kind: changesKind, id: purchase.id, fairnessKey: purchase.accountId }])
}
