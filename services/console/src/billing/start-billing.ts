import type { Sql } from '@filmgate/kit/database/postgres'
import { startJobWorker } from '@filmgate/kit/jobs/job-worker'
import { every } from '@filmgate/kit/process/every'
import type { Log } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { Gateway } from '../gateway/gateway'
import { auditWhenDue, exposeSalesAudit } from './audit/audit-when-due'
import { oldestUnappliedChangeSeconds } from './changes/change-repository'
import { convertDispute } from './changes/convert-dispute'
import { sendChanges } from './changes/send-changes'
import { applyEvent } from './events/apply-event'
import { countUnmatched } from './events/count-unmatched'
import { deleteEventsBefore, oldestUnappliedSeconds } from './events/event-repository'
import { receiveUndelivered } from './events/receive-undelivered'
import { changesKind, convertKind, eventKind, reconcileKind, refreshKind } from './job-kinds'
import { countInReview } from './purchases/count-in-review'
import { refreshPurchase } from './purchases/refresh-purchase'
import { reconcile } from './reconciliation/reconcile'
import { exposeReconciliation, reconcileWhenDue } from './reconciliation/reconcile-when-due'
import type { StripeApi } from './stripe/stripe-api'

export type BillingWorkerDeps = {
  sql: Sql
  log: Log
  gateway: Gateway
  stripe: StripeApi
  paymentAskAfterMs: number
  now(): Date
  /** Notified of new events, see `createWaker`. */
  events: Waker
}

/** Forwards a wake-up to a worker that may not have started yet. */
export type Waker = { wake(): void; listen(wake: () => void): void }

export function createWaker(): Waker {
  let listener = () => {}
  return {
    wake: () => listener(),
    listen(wake) {
      listener = wake
    },
  }
}

/** After this time another worker takes over a dead process's jobs. */
const leaseMs = 10_000
const pollEveryMs = 1_000
const refreshPollEveryMs = 5_000
const undeliveredEveryMs = 600_000
/** How often to check whether the hourly audit is due. */
const auditCheckEveryMs = 5_000
/** How often to check whether the daily reconciliation is due. */
const reconcileCheckEveryMs = 60_000
const deleteEveryMs = 3_600_000
const eventsKeptMs = 90 * 86_400_000

/** Starts the billing workers: apply events, send changes to the ledger, refresh purchases, reconcile. */
export function startBilling({ sql, log, gateway, stripe, paymentAskAfterMs, now, events }: BillingWorkerDeps): {
  stop(): Promise<unknown>
} {
  gauge('payment_changes_waiting_seconds', 'Age of the oldest grant or debit of a payment that the ledger has not applied', () =>
    oldestUnappliedChangeSeconds(sql),
  )
  gauge('purchases_in_review', 'Purchases in review: payments that differ from their pack, or disputes with an unknown share', () =>
    countInReview(sql),
  )
  gauge('payments_unmatched', 'Payments without a grant that were not refunded', () => countUnmatched(sql))
  gauge('payment_events_unapplied_seconds', 'Age of the oldest stored Stripe event that is not applied', () => oldestUnappliedSeconds(sql))
  exposeSalesAudit(sql)
  exposeReconciliation(sql)
  const run = { sql, log, leaseMs, pollEveryMs }
  const changes = startJobWorker({
    ...run,
    kind: changesKind,
    concurrency: 16,
    run: (job, signal) => sendChanges({ sql, gateway, log }, job, signal),
  })
  const wakeChanges = changes.wake
  const applied = startJobWorker({ ...run, kind: eventKind, concurrency: 4, run: job => applyEvent({ sql, log, wakeChanges }, job) })
  events.listen(applied.wake)
  const convert = { sql, stripe, log, wakeChanges }
  const converting = startJobWorker({ ...run, kind: convertKind, concurrency: 2, run: job => convertDispute(convert, job) })
  const reconciling = startJobWorker({
    ...run,
    kind: reconcileKind,
    concurrency: 1,
    run: (job, signal) => reconcile({ sql, stripe, log, now, wakeEvents: events.wake }, job, signal),
  })
  const ask = { sql, stripe, log, paymentAskAfterMs, now, wakeChanges }
  const asking = startJobWorker({
    ...run,
    kind: refreshKind,
    concurrency: 2,
    pollEveryMs: refreshPollEveryMs,
    run: job => refreshPurchase(ask, job),
  })
  const repeating = [
    every(undeliveredEveryMs, () => receiveUndelivered({ sql, log, stripe, now, wakeEvents: events.wake }), {
      log,
      name: 'undelivered events',
    }),
    every(deleteEveryMs, () => deleteEventsBefore(sql, new Date(now().getTime() - eventsKeptMs)), { log, name: 'delete old events' }),
    every(auditCheckEveryMs, () => auditWhenDue({ sql, log }), { log, name: 'auditing sales' }),
    every(reconcileCheckEveryMs, () => reconcileWhenDue({ sql, livemode: stripe.livemode, now }), { log, name: 'reconciling payments' }),
  ]
  const all = [changes, applied, converting, reconciling, asking, ...repeating]
  return { stop: () => Promise.all(all.map(({ stop }) => stop())) }
}
