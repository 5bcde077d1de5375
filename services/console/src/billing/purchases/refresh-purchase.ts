import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteHeldJobs, type Job, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { findCustomer } from '../customers/customer-repository'
import { applyFact } from '../events/apply-fact'
import { recordOutcome } from '../events/record-outcome'
import type { Fact, SessionFact } from '../stripe/facts'
import type { StripeApi } from '../stripe/stripe-api'
import { checkoutLifeMs, type Purchase } from './purchase'
import { findPurchase, isClosed } from './purchase-repository'
import { isEnded } from './purchase-states'

export type RefreshDeps = { sql: Sql; stripe: StripeApi; log: Log; paymentAskAfterMs: number; now(): Date; wakeChanges(): void }

const refreshEveryMsMax = 6 * 3_600_000
/** Longer than a checkout lives. If Stripe doesn't know the purchase by then, its checkout was never created. */
const neverOpenedMs = 2 * checkoutLifeMs

/**
 * Asks Stripe for the state of a purchase that no event was received for, and applies the answer like an event. Covers
 * lost webhooks.
 */
export async function refreshPurchase(deps: RefreshDeps, job: Job): Promise<void> {
  const { sql, log, paymentAskAfterMs } = deps
  const purchase = await findPurchase(sql, job.id)
  // A key of one Stripe mode can't read checkouts of the other.
  if (purchase && purchase.livemode !== deps.stripe.livemode) return void (await deleteHeldJobs(sql, [job]))
  try {
    if (purchase) await applyAnswers(deps, purchase)
  } catch (error) {
    log.warn({ err: error, purchase: job.id }, 'refreshing a purchase from Stripe failed, retrying')
  }
  const state = (await findPurchase(sql, job.id))?.state
  if (state === undefined || state === 'paid' || isEnded(state)) return void (await deleteHeldJobs(sql, [job]))
  const runAfterMs = Math.min(refreshEveryMsMax, paymentAskAfterMs * 2 ** Math.min(job.tries, 20))
  await rescheduleHeldJobs(sql, [{ job, runAfterMs }])
}

/**
 * Dates an answer before every event of the same second. Events are dated to the second and may be newer than an
 * answer.
 */
export const answerTime = (now: Date): Date => new Date(Math.floor(now.getTime() / 1_000) * 1_000 - 1)

async function applyAnswers(deps: RefreshDeps, purchase: Purchase): Promise<void> {
  const observedAt = answerTime(deps.now())
  const session = await endIfClosed(deps, purchase, await findSession(deps, purchase))
  const paymentIntentId = session?.paymentIntentId ?? purchase.paymentIntentId
  const reversals = paymentIntentId ? await deps.stripe.listReversals(paymentIntentId) : []
  const facts: Fact[] = [...(session ? [session] : []), ...reversals]
  const { id, livemode } = purchase
  for (const fact of facts) {
    const outcome = await deps.sql.begin(sql => applyFact(sql, { fact, livemode, observedAt }))
    recordOutcome(deps.log, outcome, { purchase: id })
  }
  deps.wakeChanges()
}

/** An account that was closed must not be charged. */
async function endIfClosed({ sql, stripe }: RefreshDeps, { accountId }: Purchase, session: SessionFact | undefined) {
  if (session?.status !== 'open' || !(await isClosed(sql, accountId))) return session
  return stripe.endSession(session.sessionId)
}

async function findSession({ sql, stripe, now }: RefreshDeps, purchase: Purchase): Promise<SessionFact | undefined> {
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
