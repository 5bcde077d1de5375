import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs, pause } from '@filmgate/kit/deadline'
import { invariant } from '@filmgate/kit/failure'
import { deleteHeldJobs, type Job, lockHeldJobs, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { auditSales } from '../audit/audit-sales'
import { storeEvent } from '../events/receive-event'
import { answerTime } from '../purchases/refresh-purchase'
import { type ListedFact, type ListedPage, type StripeList, stripeLists } from '../stripe/list-page'
import type { StripeApi } from '../stripe/stripe-api'
import { compare } from './compare'
import { countUnapplied, insertListed } from './compare-repository'
import { finishReconciliation } from './finish-reconciliation'
import { periodOf, type Reconciliation } from './reconciliation'
import { deleteListed, failReconciliation, findReconciliation, updateProgress } from './run-repository'

export type ReconcileDeps = { sql: Sql; stripe: StripeApi; log: Log; now(): Date; wakeEvents(): void }

/** Stripe allows 100 calls a second with a live key and 25 with a test key, for all uses. This is a small part. */
const betweenPagesMs = 100
/** Two million objects. Longer periods must be reconciled in parts. */
const pagesMax = 20_000
const runMsMax = 6 * 3_600_000
const firstRetryMs = 1_000
const retryMsMax = 300_000
const appliedLookMs = 200
/** Unapplied events remain as differences, and FilmgatePaymentEventsUnapplied reports them. */
const appliedMsMax = 120_000

const missed = counter('payments_missed', 'Payments, refunds and disputes at Stripe that no event had delivered', {
  object: ['payment', 'refund', 'dispute'],
})

/**
 * Reads Stripe's lists of charges, refunds and disputes page by page and applies facts that no event delivered. Each
 * page and the progress are stored in one transaction, so that another worker can continue. If Stripe is unavailable or
 * rate-limits, the job is retried later.
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
    await waitUntilApplied(deps, run, signal)
    await finishReconciliation(deps, run, job)
    await auditSales({ sql, log })
  } catch (error) {
    if (signal.aborted) throw error
    log.warn({ err: error, reconciliation: job.id, tries: job.tries }, 'reconciliation with Stripe failed, retrying')
    const [runAfterMs, resetTries] = [backoffMs(job.tries, firstRetryMs, retryMsMax), run.pages > pages]
    await rescheduleHeldJobs(sql, [{ job, runAfterMs, resetTries }])
  }
}

const listsFrom = (step: Reconciliation['step']): readonly StripeList[] =>
  step === 'compare' ? [] : stripeLists.slice(stripeLists.indexOf(step))

/** Why the reconciliation can't continue. */
function faultOf({ stripe, now }: ReconcileDeps, { livemode, pages, createdAt }: Reconciliation): string | undefined {
  if (livemode !== stripe.livemode) return 'the Stripe key has another mode now'
  if (pages >= pagesMax) return `Stripe lists more than ${pagesMax} pages: choose a shorter period`
  return now().getTime() - createdAt.getTime() > runMsMax ? 'it did not finish within six hours' : undefined
}

type Reading = { run: Reconciliation; job: Job; list: StripeList; signal: AbortSignal }

async function readList(deps: ReconcileDeps, { run, job, list, signal }: Reading): Promise<void> {
  // The payments before must be applied first, so that a refund of a missed payment finds it.
  await waitUntilApplied(deps, run, signal)
  let after = run.step === list ? (run.after ?? undefined) : undefined
  do {
    const fault = faultOf(deps, run)
    if (fault) throw new Error(fault)
    const observedAt = answerTime(deps.now())
    const page = await deps.stripe.listPage(list, periodOf(run, list), after)
    await storePage(deps, { run, job, list, page, observedAt })
    run.pages += 1
    after = page.next
    if (after) await pause(betweenPagesMs, signal)
    signal.throwIfAborted()
  } while (after)
}

type Page = Omit<Reading, 'signal'> & { page: ListedPage; observedAt: Date }

async function storePage({ sql, wakeEvents }: ReconcileDeps, { run, job, list, page, observedAt }: Page): Promise<void> {
  const { id, livemode, dryRun } = run
  const applied = await sql.begin(async sql => {
    invariant((await lockHeldJobs(sql, [job])).has(job.id), `the reconciliation ${id} is leased by another worker`)
    const compared = await compare(
      sql,
      page.facts.map(fact => ({ fact, observedAt })),
      run,
    )
    const different = compared.filter(({ finding }) => finding)
    const missed = different.filter(({ isMissed }) => isMissed)
    await insertListed(sql, id, [
      ...compared.map(({ objectId, fact, finding }) => ({ objectId, fact: finding ? fact : null, observedAt, fault: null })),
      ...page.unreadable.map(({ id: objectId, fault }) => ({ objectId, fact: null, observedAt, fault })),
    ])
    if (!dryRun)
      for (const { objectId, fact } of missed)
        await storeEvent(sql, { id: `${eventPrefix(id)}${objectId}`, type: `listed.${nameOf(fact)}`, fact, livemode, observedAt })
    const step = page.next ? list : (stripeLists[stripeLists.indexOf(list) + 1] ?? 'compare')
    await updateProgress(sql, id, { list, step, after: page.next, count: page.count, missed: missed.length })
    return dryRun ? [] : missed
  })
  for (const { fact } of applied) missed.add(1, { object: nameOf(fact) })
  if (applied.length > 0) wakeEvents()
}

/** The id prefix of events that a reconciliation stores. */
const eventPrefix = (id: string): string => `listed:${id}:`

const nameOf = (fact: ListedFact) => (fact.kind === 'payment' ? 'payment' : fact.reversal)

async function waitUntilApplied({ sql }: ReconcileDeps, { id }: Reconciliation, signal: AbortSignal): Promise<void> {
  const until = performance.now() + appliedMsMax
  while ((await countUnapplied(sql, eventPrefix(id), id)) > 0 && performance.now() < until) {
    await pause(appliedLookMs, signal)
    signal.throwIfAborted()
  }
}

async function fail({ sql, log }: ReconcileDeps, job: Job, fault: string): Promise<void> {
  log.error({ reconciliation: job.id, fault }, 'reconciliation with Stripe failed: see the runbook')
  await sql.begin(async sql => {
    await failReconciliation(sql, job.id, fault)
    await deleteListed(sql, job.id)
    await deleteHeldJobs(sql, [job])
  })
}
