import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteHeldJobs, type Job, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { findCustomer } from '../customers/customer-repository'
import { applyFact } from '../events/apply-fact'
import { tellOutcome } from '../events/tell-outcome'
import type { Fact, SessionFact } from '../stripe/facts'
import type { StripeApi } from '../stripe/stripe-api'
import { checkoutLifeMs, type Purchase } from './purchase'
import { findPurchase, isClosed } from './purchase-repository'
import { isEnded } from './purchase-states'

export type AskDeps = { sql: Sql; stripe: StripeApi; log: Log; paymentAskAfterMs: number; now(): Date; wakeChanges(): void }

const askEveryMsMax = 6 * 3_600_000
/** Longer than a checkout lives: what Stripe does not know by then was never opened there. */
const neverOpenedMs = 2 * checkoutLifeMs

/** Asks Stripe how a purchase stands of which nothing was told, and applies the answer as if it had been told: a webhook may be lost. */
export async function askStripe(deps: AskDeps, job: Job): Promise<void> {
  const { sql, log, paymentAskAfterMs } = deps
  const purchase = await findPurchase(sql, job.id)
  // A key of one mode knows nothing of the other's checkouts.
  if (purchase && purchase.livemode !== deps.stripe.livemode) return void (await deleteHeldJobs(sql, [job]))
  try {
    if (purchase) await applyAnswers(deps, purchase)
  } catch (error) {
    log.warn({ err: error, purchase: job.id }, 'Stripe could not be asked about a purchase, it will be again')
  }
  const state = (await findPurchase(sql, job.id))?.state
  if (state === undefined || state === 'paid' || isEnded(state)) return void (await deleteHeldJobs(sql, [job]))
  const runAfterMs = Math.min(askEveryMsMax, paymentAskAfterMs * 2 ** Math.min(job.tries, 20))
  await rescheduleHeldJobs(sql, [{ job, runAfterMs }])
}

/** Before every event of the second in which Stripe is asked: events are dated to the second, and tell more than an answer that they overtake. */
export const askedAt = (now: Date): Date => new Date(Math.floor(now.getTime() / 1_000) * 1_000 - 1)

async function applyAnswers(deps: AskDeps, purchase: Purchase): Promise<void> {
  const toldAt = askedAt(deps.now())
  const session = await endIfClosed(deps, purchase, await findSession(deps, purchase))
  const paymentIntentId = session?.paymentIntentId ?? purchase.paymentIntentId
  const reversals = paymentIntentId ? await deps.stripe.listReversals(paymentIntentId) : []
  const facts: Fact[] = [...(session ? [session] : []), ...reversals]
  const { id, livemode } = purchase
  for (const fact of facts) {
    const outcome = await deps.sql.begin(sql => applyFact(sql, { fact, livemode, toldAt }))
    tellOutcome(deps.log, outcome, { purchase: id })
  }
  deps.wakeChanges()
}

/** Nobody shall pay for an account that was closed. */
async function endIfClosed({ sql, stripe }: AskDeps, { accountId }: Purchase, session: SessionFact | undefined) {
  if (session?.status !== 'open' || !(await isClosed(sql, accountId))) return session
  return stripe.endSession(session.sessionId)
}

async function findSession({ sql, stripe, now }: AskDeps, purchase: Purchase): Promise<SessionFact | undefined> {
  if (purchase.sessionId) return stripe.findSession(purchase.sessionId)
  const customer = await findCustomer(sql, purchase)
  const sessions = customer ? await stripe.listSessions(customer, new Date(purchase.createdAt.getTime() - 60_000)) : []
  const session = sessions.find(({ purchaseId }) => purchaseId === purchase.id)
  if (session || now().getTime() - purchase.createdAt.getTime() < neverOpenedMs) return session
  return neverOpened(purchase)
}

const neverOpened = ({ id, accountId }: Purchase): SessionFact => ({
  ...{ kind: 'session', sessionId: `never-opened-${id}`, purchaseId: id, accountId, status: 'expired', isPaid: false, hasFailed: false },
  ...{ paymentIntentId: null, invoiceId: null, amount: null, currency: null },
})
