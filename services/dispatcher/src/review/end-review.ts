import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertJobs, type Job, stealJobs } from '@filmgate/kit/jobs/job-repository'
import { leaseOwner } from '@filmgate/kit/jobs/job-worker'
import type { Outbox, Send } from '@filmgate/kit/outbox/outbox'
import { insertOutbox } from '@filmgate/kit/outbox/outbox-repository'
import type { Attempt } from '../attempt/attempt'
import { isIdTaken, transitionAttempts } from '../attempt/attempt-repository'
import { failed, refused } from '../attempt/events'
import { attemptJob, recopyJob } from '../attempt/jobs'
import { acceptedTransition, checkTransition, type Next, type Transition } from '../attempt/transition'
import { eventsOf } from '../attempt/write-transitions'
import type { Reason } from '../errors'
import type { CopyPayload } from '../output/decide-copy'
import type { Routing } from '../routing/routing'
import { type CheckIdDeps, checkProviderTaskId } from './check-provider-task-id'
import { findReview, insertReviewDecision, type ReviewDecision } from './review-repository'

export type ReviewDeps = CheckIdDeps & {
  outbox: Outbox
  topicPrefix: string
  routing: Routing
  leaseMs: number
  now: () => Date
  /** Has due attempts looked at now. */
  wake(): void
}

export type EndReview = { taskId: string; reason: string; by: string }
export type AcceptReview = EndReview & { providerTaskId: string; force: boolean }

/** The provider has it, under this id: polled from now on, settled once its video is copied. */
export async function acceptReview(deps: ReviewDeps, { taskId, providerTaskId, force, reason, by }: AcceptReview): Promise<void> {
  const [held] = await findReview(deps.sql, taskId)
  if (!held) throw new Failure<Reason>('not_in_review')
  const connector = deps.routing.connectorOf(held.provider)
  if (!connector) throw new Failure<Reason>('invalid_request', { message: `Provider ${held.provider} is not configured.` })
  const echoed = await checkProviderTaskId(deps, held, connector, { providerTaskId, force })
  await endReview(deps, taskId, { decision: 'accept', providerTaskId, reason, by }, (attempt, job) => {
    const columns = { providerTaskId, echoed, operatorAccepted: true, absence: 'cleared' as const }
    if (attempt.state === 'unknown')
      return { ...acceptedTransition(deps.now(), attempt, job, connector, columns), after: { next: 'again', afterMs: 0, resetTries: true } }
    return { attempt, job, columns: { ...columns, ...anew(attempt) }, after: onceMore(attempt, job) }
  }).catch(error => {
    throw isIdTaken(error) ? new Failure<Reason>('provider_task_id_taken', { cause: error }) : error
  })
  deps.wake()
}

/** Its look-up, its poll or its copy is tried again now; a copy for as long as a new one, and under the same key. */
export async function retryReview(deps: ReviewDeps, { taskId, reason, by }: EndReview): Promise<void> {
  await endReview(deps, taskId, { decision: 'retry', providerTaskId: null, reason, by }, (attempt, job) => ({
    attempt,
    job,
    columns: anew(attempt),
    after: onceMore(attempt, job),
  }))
  deps.wake()
}

/** The provider never made it, or never will: the client gets its credits back. */
export const refundReview = (deps: ReviewDeps, { taskId, reason, by }: EndReview): Promise<void> =>
  endReview(deps, taskId, { decision: 'refund', providerTaskId: null, reason, by }, (attempt, job) => {
    const cause = `${by} decided: ${reason}`.slice(0, 500)
    if (attempt.state === 'unknown') {
      const code = 'generation_unavailable'
      return { attempt, job, to: 'refused', columns: { code, cause }, events: [refused(attempt, deps.now(), code)], after: { next: 'end' } }
    }
    const code = attempt.state === 'copying' ? 'output_unavailable' : 'generation_failed'
    return { attempt, job, to: 'failed', columns: { code, cause }, events: [failed(attempt, deps.now(), code)], after: { next: 'end' } }
  })

const anew = ({ state }: Attempt) => (state === 'copying' ? { heldForReview: false } : {})

/** The next copy asks the provider for a fresh URL, and the counts of the tries before it start anew. */
function onceMore({ state }: Attempt, job: Job): Next {
  if (state !== 'copying') return { next: 'again', afterMs: 0, resetTries: true }
  const { url = '' } = job.payload as Partial<CopyPayload>
  return { next: 'again', afterMs: 0, resetTries: true, payload: { url, faults: 1 } satisfies CopyPayload }
}

type Decision = Pick<ReviewDecision, 'decision' | 'providerTaskId' | 'reason' | 'by'>

async function endReview(
  deps: ReviewDeps,
  taskId: string,
  decision: Decision,
  decide: (attempt: Attempt, job: Job) => Transition,
): Promise<void> {
  await deps.outbox.transaction(async (sql, send) => {
    const job = await stealJobOf(deps, sql, taskId)
    const [attempt] = await findReview(sql, taskId)
    // Before its job was locked, the attempt can have gone on to its copy, which has another job.
    if (!attempt || jobKindOf(attempt) !== job.kind) throw new Failure<Reason>('not_in_review')
    await writeDecision(deps, sql, send, decide(attempt, job), decision)
  })
}

const jobKindOf = ({ state }: Attempt) => (state === 'copying' ? recopyJob : attemptJob)

/** Whoever looks the attempt up, polls it or copies its output at this moment loses its lease, and writes nothing more. */
async function stealJobOf({ leaseMs }: ReviewDeps, sql: TransactionSql, taskId: string): Promise<Job> {
  const [attempt] = await findReview(sql, taskId)
  if (!attempt) throw new Failure<Reason>('not_in_review')
  const kind = jobKindOf(attempt)
  await insertJobs(sql, [{ kind, id: attempt.id, fairnessKey: attempt.accountId }])
  const [job] = await stealJobs(sql, kind, [attempt.id], leaseOwner, leaseMs)
  // Whoever had the row locked before has ended the review, and deleted its job.
  if (!job) throw new Failure<Reason>('not_in_review')
  return job
}

async function writeDecision(deps: ReviewDeps, sql: TransactionSql, send: Send, transition: Transition, decision: Decision): Promise<void> {
  const { id: attemptId, taskId } = transition.attempt
  if (transition.to) checkTransition(transition.attempt.state, transition.to)
  const held = await transitionAttempts(sql, [transition], insertOutbox(sql, []))
  // Somebody else changed the attempt before.
  if (!held.has(transition.job.id)) throw new Failure<Reason>('not_in_review')
  send(eventsOf(deps.topicPrefix, transition))
  await insertReviewDecision(sql, { attemptId, taskId, ...decision })
}
