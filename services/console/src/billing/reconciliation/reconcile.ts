import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs, pause } from '@filmgate/kit/deadline'
import { invariant } from '@filmgate/kit/failure'
import { deleteHeldJobs, type Job, lockHeldJobs, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { auditSales } from '../audit/audit-sales'
import { keepEvent } from '../events/receive-event'
import { askedAt } from '../purchases/ask-stripe'
import { type ListedFact, type ListedPage, type StripeList, stripeLists } from '../stripe/list-page'
import type { StripeApi } from '../stripe/stripe-api'
import { compare } from './compare'
import { countUnapplied, insertListed } from './compare-repository'
import { finishReconciliation } from './finish-reconciliation'
import { periodOf, type Reconciliation } from './reconciliation'
import { deleteListed, failReconciliation, findReconciliation, updateProgress } from './run-repository'

export type ReconcileDeps = { sql: Sql; stripe: StripeApi; log: Log; now(): Date; wakeEvents(): void }

/**
 * Stripe takes 100 calls a second of a live key and 25 of a test key, for all that is asked of it: this is a small
 * part.
 */
const betweenPagesMs = 100
/** Two million objects. A longer period is reconciled in parts. */
const pagesMax = 20_000
const runMsMax = 6 * 3_600_000
const firstRetryMs = 1_000
const retryMsMax = 300_000
const appliedLookMs = 200
/** What is not applied by then differs still, and FilmgatePaymentEventsUnapplied says so. */
const appliedMsMax = 120_000

const missed = counter('payments_missed', 'Payments, refunds and disputes that a reconciliation found at Stripe and no event had told', {
  object: ['payment', 'refund', 'dispute'],
})

/**
 * Reads Stripe's lists of charges, refunds and disputes page by page and applies what no event has told as if one had.
 * Each page, with how far it got, is one transaction: whoever takes the job over goes on there. A Stripe that can't be
 * asked, or asks for less, is asked later.
 */
export async function reconcile(deps: ReconcileDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { sql, log } = deps
  const run = await findReconciliation(sql, job.id)
  if (run?.state !== 'running') return void (await deleteHeldJobs(sql, [job]))
  const fault = faultOf(deps, run)
  if (fault) return fail(deps, job, fault)
  const { pages } = run
  try {
    for (const list of listsFrom(run.step)) await readList(deps, { run, job, list, signal })
    await untilApplied(deps, run, signal)
    await finishReconciliation(deps, run, job)
    await auditSales({ sql, log })
  } catch (error) {
    if (signal.aborted) throw error
    log.warn({ err: error, reconciliation: job.id, tries: job.tries }, 'payments are not reconciled yet')
    const [runAfterMs, resetTries] = [backoffMs(job.tries, firstRetryMs, retryMsMax), run.pages > pages]
    await rescheduleHeldJobs(sql, [{ job, runAfterMs, resetTries }])
  }
}

const listsFrom = (step: Reconciliation['step']): readonly StripeList[] =>
  step === 'compare' ? [] : stripeLists.slice(stripeLists.indexOf(step))

/** Why it is not gone on with. */
function faultOf({ stripe, now }: ReconcileDeps, { livemode, pages, createdAt }: Reconciliation): string | undefined {
  if (livemode !== stripe.livemode) return 'the key at Stripe is of another mode by now'
  if (pages >= pagesMax) return `Stripe lists more than ${pagesMax} pages: take a shorter period`
  return now().getTime() - createdAt.getTime() > runMsMax ? 'it did not come to its end within six hours' : undefined
}

type Reading = { run: Reconciliation; job: Job; list: StripeList; signal: AbortSignal }

async function readList(deps: ReconcileDeps, { run, job, list, signal }: Reading): Promise<void> {
  // A refund of a payment that was missed is of a known one then.
  await untilApplied(deps, run, signal)
  let after = run.step === list ? (run.after ?? undefined) : undefined
  do {
    const fault = faultOf(deps, run)
    if (fault) throw new Error(fault)
    const toldAt = askedAt(deps.now())
    const page = await deps.stripe.listPage(list, periodOf(run, list), after)
    await keepPage(deps, { run, job, list, page, toldAt })
    run.pages += 1
    after = page.next
    if (after) await pause(betweenPagesMs, signal)
    signal.throwIfAborted()
  } while (after)
}

type Page = Omit<Reading, 'signal'> & { page: ListedPage; toldAt: Date }

async function keepPage({ sql, wakeEvents }: ReconcileDeps, { run, job, list, page, toldAt }: Page): Promise<void> {
  const { id, livemode, dryRun } = run
  const applied = await sql.begin(async sql => {
    invariant((await lockHeldJobs(sql, [job])).has(job.id), `the reconciliation ${id} is held by another`)
    const compared = await compare(
      sql,
      page.facts.map(fact => ({ fact, toldAt })),
      run,
    )
    const different = compared.filter(({ finding }) => finding)
    const missed = different.filter(({ isMissed }) => isMissed)
    await insertListed(sql, id, [
      ...compared.map(({ objectId, fact, finding }) => ({ objectId, fact: finding ? fact : null, toldAt, fault: null })),
      ...page.unreadable.map(({ id: objectId, fault }) => ({ objectId, fact: null, toldAt, fault })),
    ])
    if (!dryRun)
      for (const { objectId, fact } of missed)
        await keepEvent(sql, { id: `${eventPrefix(id)}${objectId}`, type: `listed.${nameOf(fact)}`, fact, livemode, toldAt })
    const step = page.next ? list : (stripeLists[stripeLists.indexOf(list) + 1] ?? 'compare')
    await updateProgress(sql, id, { list, step, after: page.next, count: page.count, missed: missed.length })
    return dryRun ? [] : missed
  })
  for (const { fact } of applied) missed.add(1, { object: nameOf(fact) })
  if (applied.length > 0) wakeEvents()
}

/** Of the events that a reconciliation keeps. */
const eventPrefix = (id: string): string => `listed:${id}:`

const nameOf = (fact: ListedFact) => (fact.kind === 'payment' ? 'payment' : fact.reversal)

async function untilApplied({ sql }: ReconcileDeps, { id }: Reconciliation, signal: AbortSignal): Promise<void> {
  const until = performance.now() + appliedMsMax
  while ((await countUnapplied(sql, eventPrefix(id), id)) > 0 && performance.now() < until) {
    await pause(appliedLookMs, signal)
    signal.throwIfAborted()
  }
}

async function fail({ sql, log }: ReconcileDeps, job: Job, fault: string): Promise<void> {
  log.error({ reconciliation: job.id, fault }, 'payments are not reconciled: see the runbook')
  await sql.begin(async sql => {
    await failReconciliation(sql, job.id, fault)
    await deleteListed(sql, job.id)
    await deleteHeldJobs(sql, [job])
  })
}
