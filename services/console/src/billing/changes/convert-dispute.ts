import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs } from '@filmgate/kit/deadline'
import { deleteHeldJobs, type Job, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { findPurchaseOfPayment, lockPurchaseOfPayment } from '../purchases/purchase-repository'
import type { StripeApi } from '../stripe/stripe-api'
import { findReversal, type StoredReversal, updateConversions, updateConverted } from './change-repository'
import { convertedAmount, type DisputeShares } from './converted-amount'
import { lockPayment, planCredits, termsPaid } from './plan-changes'

export type ConvertDeps = { sql: Sql; stripe: StripeApi; log: Log; wakeChanges(): void }

const firstRetryMs = 1_000
const retryMsMax = 600_000
/** About an hour in all. */
const triesMax = 15

/**
 * Converts a dispute's amount to the currency of its payment by asking Stripe, then plans the changes. If Stripe shows
 * no share, or doesn't answer for an hour, the purchase goes to review; the next fact of the dispute tries again.
 * Refunds are always in the charge's currency, so they need no conversion.
 */
export async function convertDispute(deps: ConvertDeps, job: Job): Promise<void> {
  const { sql, stripe, log } = deps
  const reversal = await findReversal(sql, job.id)
  const purchase = reversal && (await findPurchaseOfPayment(sql, reversal.paymentIntentId))
  // A key of one Stripe mode can't read objects of the other.
  if (!reversal || purchase?.livemode !== stripe.livemode) return void (await deleteHeldJobs(sql, [job]))
  try {
    await saveShares(deps, job, reversal, await findShares(deps, job, reversal))
  } catch (error) {
    log.warn({ err: error, reversal: job.id, tries: job.tries }, 'reading a dispute from Stripe failed, retrying')
    await rescheduleHeldJobs(sql, [{ job, runAfterMs: backoffMs(job.tries, firstRetryMs, retryMsMax) }])
  }
}

async function findShares({ stripe, log }: ConvertDeps, { id, tries }: Job, { kind }: StoredReversal): Promise<DisputeShares | undefined> {
  if (kind !== 'dispute') return undefined
  try {
    return await stripe.findDisputeShares(id)
  } catch (error) {
    if (tries < triesMax) throw error
    log.error({ err: error, reversal: id, tries }, 'reading a dispute from Stripe failed, giving up')
    return undefined
  }
}

async function saveShares(
  { sql, log, wakeChanges }: ConvertDeps,
  job: Job,
  { paymentIntentId, observedAt }: StoredReversal,
  shares: DisputeShares | undefined,
): Promise<void> {
  await sql.begin(async sql => {
    await lockPayment(sql, paymentIntentId)
    const purchase = await lockPurchaseOfPayment(sql, paymentIntentId)
    const now = await findReversal(sql, job.id)
    // An operator has set it in the meantime.
    if (now?.conversion !== 'wanted') return void (await deleteHeldJobs(sql, [job]))
    // The amount may have changed while Stripe was asked.
    if (now.observedAt.getTime() !== observedAt.getTime())
      return void (await rescheduleHeldJobs(sql, [{ job, runAfterMs: 0, resetTries: true }]))
    const converted = purchase && shares && convertedAmount(termsPaid(purchase).amount, shares)
    if (converted === undefined) {
      const fields = { reversal: job.id, purchase: purchase?.id }
      log.error(fields, 'dispute in another currency not converted: the purchase is in review')
      await updateConversions(sql, [job.id], 'unknown')
    } else await updateConverted(sql, job.id, converted)
    await deleteHeldJobs(sql, [job])
    if (purchase) await planCredits(sql, purchase, paymentIntentId)
  })
  wakeChanges()
}
