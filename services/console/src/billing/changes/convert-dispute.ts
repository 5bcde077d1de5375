import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs } from '@filmgate/kit/deadline'
import { deleteHeldJobs, type Job, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { lockPurchaseOfPayment } from '../purchases/purchase-repository'
import type { StripeApi } from '../stripe/stripe-api'
import { findReversal, updateConversions, updateConverted } from './change-repository'
import { convertedAmount } from './converted-amount'
import { lockPayment, planCredits, termsPaid } from './plan-changes'

export type ConvertDeps = { sql: Sql; stripe: StripeApi; log: Log; wakeChanges(): void }

const firstRetryMs = 1_000
const retryMsMax = 600_000

/**
 * Asks Stripe what a dispute in another currency is of its payment, and plans what follows. Where Stripe shows no
 * share the purchase is in review, and is looked at again with the next fact of the dispute. A refund is always in the
 * charge's currency, so of one in another nothing can be asked.
 */
export async function convertDispute({ sql, stripe, log, wakeChanges }: ConvertDeps, job: Job): Promise<void> {
  const reversal = await findReversal(sql, job.id)
  if (!reversal) return void (await deleteHeldJobs(sql, [job]))
  try {
    const shares = reversal.kind === 'dispute' ? await stripe.findDisputeShares(job.id) : undefined
    await sql.begin(async sql => {
      await lockPayment(sql, reversal.paymentIntentId)
      const purchase = await lockPurchaseOfPayment(sql, reversal.paymentIntentId)
      const now = await findReversal(sql, job.id)
      // An operator has set it meanwhile.
      if (now?.conversion !== 'wanted') return void (await deleteHeldJobs(sql, [job]))
      // What was told while Stripe was asked may have another amount.
      if (now.toldAt.getTime() !== reversal.toldAt.getTime()) return void (await rescheduleHeldJobs(sql, [{ job, runAfterMs: 0 }]))
      const converted = purchase && shares && convertedAmount(termsPaid(purchase).amount, shares)
      if (converted === undefined) {
        log.error(
          { reversal: job.id, purchase: purchase?.id },
          'what a dispute is of its payment can’t be known: the purchase is in review',
        )
        await updateConversions(sql, [job.id], 'unknown')
      } else await updateConverted(sql, job.id, converted)
      await deleteHeldJobs(sql, [job])
      if (purchase) await planCredits(sql, purchase, reversal.paymentIntentId)
    })
    wakeChanges()
  } catch (error) {
    log.warn({ err: error, reversal: job.id, tries: job.tries }, 'Stripe could not be asked about a dispute, it will be again')
    await rescheduleHeldJobs(sql, [{ job, runAfterMs: backoffMs(job.tries, firstRetryMs, retryMsMax) }])
  }
}
