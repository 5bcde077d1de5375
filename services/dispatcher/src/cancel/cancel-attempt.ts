import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteHeldJobs, type Job, rescheduleHeldJobs, runJobsNow } from '@filmgate/kit/jobs/job-repository'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { Attempt } from '../attempt/attempt'
import { notCancelled, outgoing, refused } from '../attempt/events'
import { attemptJob } from '../attempt/jobs'
import type { WriteTransition } from '../attempt/write-transitions'
import type { Routing } from '../routing/routing'
import { findLatestAttempt, markCancelAsked, takeOverUnsent } from './cancel-repository'
import { cancels, type NotCancelled, notCancelledReasons } from './cancels'

export type CancelDeps = {
  sql: Sql
  outbox: Outbox
  topicPrefix: string
  routing: Pick<Routing, 'connectorOf'>
  write: WriteTransition
  leaseMs: number
  now: () => Date
  log: Log
  /** Has due attempts looked at now. */
  wakePolls(): void
}

/** How often its provider was asked in vain; `polls`: how often it was polled since it took the cancel. */
export type CancelPayload = { asks?: number; polls?: number }

/** A submit is mostly answered within a second. */
const sendingLookMs = 250
/** About a minute in all. */
const asksMax = 6
/** Doubled each time: for half a minute a cancelled generation is polled more often than by its age. */
const pollFirstMs = 500
const pollsMax = 6

/** What a run of the job comes to. */
type Outcome =
  | { next: 'end'; outcome: 'before_submit' | 'ended' | 'provider_took' }
  | { next: 'not-cancelled'; reason: NotCancelled }
  | { next: 'again'; afterMs: number; payload?: CancelPayload }

/** Ends a task that no provider has; asks the provider that has it to cancel. Only a later poll of the provider's ends what it has. */
export async function cancelAttempt(deps: CancelDeps, job: Job<CancelPayload>, signal: AbortSignal): Promise<void> {
  const attempt = await findLatestAttempt(deps.sql, job.id)
  const outcome = attempt ? await outcomes[attempt.state](deps, attempt, job.payload, signal) : ended
  if (signal.aborted) return
  if (outcome.next === 'again') {
    await rescheduleHeldJobs(deps.sql, [{ job, runAfterMs: outcome.afterMs, ...(outcome.payload && { payload: outcome.payload }) }])
    return
  }
  await deps.outbox.transaction(async (sql, send) => {
    const held = await deleteHeldJobs(sql, [job])
    if (held.size === 0 || !attempt || outcome.next === 'end') return
    send([outgoing(deps.topicPrefix, attempt, notCancelled(attempt, deps.now(), notCancelledReasons[outcome.reason]))])
  })
  cancels.add(1, { outcome: outcome.next === 'end' ? outcome.outcome : outcome.reason })
}

type Latest = Attempt & { unsent: boolean }
type Decide = (deps: CancelDeps, attempt: Latest, payload: CancelPayload, signal: AbortSignal) => Promise<Outcome>

const ended: Outcome = { next: 'end', outcome: 'ended' }
const because =
  (reason: NotCancelled): Decide =>
  async () => ({ next: 'not-cancelled', reason })

const outcomes: Record<Attempt['state'], Decide> = {
  sending: endUnsent,
  unknown: because('uncertain'),
  accepted: askProvider,
  overdue: askProvider,
  copying: because('finished'),
  refused: async () => ended,
  completed: async () => ended,
  failed: async () => ended,
}

/** One whose submit may be under way waits for the answer: a lost one becomes unknown when the sender's lease ends. */
async function endUnsent(deps: CancelDeps, attempt: Latest): Promise<Outcome> {
  const job = attempt.unsent ? await takeOverUnsent(deps.sql, attempt.id, deps.leaseMs) : undefined
  if (!job) return { next: 'again', afterMs: sendingLookMs }
  const written = await deps.write({
    ...{ attempt, job, to: 'refused', columns: { code: 'cancelled', cause: 'cancelled before its submit' } },
    events: [refused(attempt, deps.now(), 'cancelled')],
    after: { next: 'end' },
  })
  return written ? { next: 'end', outcome: 'before_submit' } : { next: 'again', afterMs: sendingLookMs }
}

async function askProvider(deps: CancelDeps, attempt: Latest, payload: CancelPayload, signal: AbortSignal): Promise<Outcome> {
  const { id: attemptId, provider, providerTaskId, providerModel, echoed } = attempt
  const { asks = 0, polls } = payload
  if (polls !== undefined) return pollSoon(deps, attemptId, polls)
  const connector = deps.routing.connectorOf(provider)
  if (!connector?.cancel || providerTaskId === null) return { next: 'not-cancelled', reason: 'provider_cannot' }
  await markCancelAsked(deps.sql, attemptId)
  const answer = await connector.cancel({ attemptId, providerTaskId, providerModel, echoed }, signal).catch(error => {
    if (!signal.aborted) deps.log.warn({ err: error, provider, attempt: attemptId }, 'cancel got no usable answer')
    return undefined
  })
  if (answer === 'taken') return pollSoon(deps, attemptId, 0)
  if (answer === 'refused') return { next: 'not-cancelled', reason: 'provider_refused' }
  if (asks + 1 >= asksMax) return { next: 'not-cancelled', reason: 'provider_silent' }
  return { next: 'again', afterMs: 1_000 * 2 ** asks, payload: { asks: asks + 1 } }
}

async function pollSoon(deps: CancelDeps, attemptId: string, polls: number): Promise<Outcome> {
  await runJobsNow(deps.sql, attemptJob, [attemptId])
  deps.wakePolls()
  if (polls >= pollsMax) return { next: 'end', outcome: 'provider_took' }
  return { next: 'again', afterMs: pollFirstMs * 2 ** polls, payload: { polls: polls + 1 } }
}
