import { Failure } from '@filmgate/kit/failure'
import { leaseOwner } from '@filmgate/kit/jobs'
import { insertJobs, type Job, seizeJobs } from '@filmgate/kit/jobs-repository'
import type { Outbox, Send } from '@filmgate/kit/outbox'
import { insertOutbox } from '@filmgate/kit/outbox-repository'
import type { TransactionSql } from '@filmgate/kit/postgres'
import { type Attempt, checkMove } from '../attempt/attempt'
import { acceptedMove } from '../attempt/decide'
import { failed, refused } from '../attempt/events'
import { attemptJob, recopyJob } from '../attempt/jobs'
import type { Move, Next } from '../attempt/move'
import { isIdTaken, moveAttempts } from '../attempt/move-repository'
import { eventsOf } from '../attempt/write-moves'
import type { Reason } from '../errors'
import type { CopyPayload } from '../output/decide-copy'
import type { Routing } from '../routing/routing'
import { type CheckIdDeps, checkMakerTaskId } from './check-maker-task-id'
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
export type AcceptReview = EndReview & { makerTaskId: string }

/** The maker has it, under this id: polled from now on, settled once its video is copied. */
export async function acceptReview(deps: ReviewDeps, { taskId, makerTaskId, reason, by }: AcceptReview): Promise<void> {
  const [held] = await findReview(deps.sql, taskId)
  if (!held) throw new Failure<Reason>('not_in_review')
  const connector = deps.routing.connectorOf(held.maker)
  if (!connector) throw new Failure<Reason>('invalid_request', { message: `Maker ${held.maker} is not configured.` })
  const echoed = await checkMakerTaskId(deps, held, connector, makerTaskId)
  await endReview(deps, taskId, { decision: 'accept', makerTaskId, reason, by }, (attempt, job) => {
    const columns = { makerTaskId, echoed, operatorAccepted: true, absence: 'cleared' as const }
    if (attempt.state === 'unknown')
      return { ...acceptedMove(deps.now(), attempt, job, connector, columns), after: { next: 'again', afterMs: 0, resetTries: true } }
    return { attempt, job, columns: { ...columns, ...anew(attempt) }, after: onceMore(attempt, job) }
  }).catch(error => {
    throw isIdTaken(error) ? new Failure<Reason>('maker_task_id_taken', { cause: error }) : error
  })
  deps.wake()
}

/** What it waits for is tried again now: its look-up, its poll, or its copy, that for as long as a new one and under the same key. */
export async function retryReview(deps: ReviewDeps, { taskId, reason, by }: EndReview): Promise<void> {
  await endReview(deps, taskId, { decision: 'retry', makerTaskId: null, reason, by }, (attempt, job) => ({
    attempt,
    job,
    columns: anew(attempt),
    after: onceMore(attempt, job),
  }))
  deps.wake()
}

/** The maker never made it, or never will: the client gets its credits back. */
export const refundReview = (deps: ReviewDeps, { taskId, reason, by }: EndReview): Promise<void> =>
  endReview(deps, taskId, { decision: 'refund', makerTaskId: null, reason, by }, (attempt, job) => {
    const cause = `${by} decided: ${reason}`.slice(0, 500)
    if (attempt.state === 'unknown') {
      const code = 'generation_unavailable'
      return { attempt, job, to: 'refused', columns: { code, cause }, events: [refused(attempt, deps.now(), code)], after: { next: 'end' } }
    }
    const code = attempt.state === 'copying' ? 'output_unavailable' : 'generation_failed'
    return { attempt, job, to: 'failed', columns: { code, cause }, events: [failed(attempt, deps.now(), code)], after: { next: 'end' } }
  })

const anew = ({ state }: Attempt) => (state === 'copying' ? { heldForReview: false } : {})

/** The next copy asks the maker for a fresh URL, and knows nothing of what was seen before. */
function onceMore({ state }: Attempt, job: Job): Next {
  if (state !== 'copying') return { next: 'again', afterMs: 0, resetTries: true }
  const { url = '' } = job.payload as Partial<CopyPayload>
  return { next: 'again', afterMs: 0, resetTries: true, payload: { url, faults: 1 } satisfies CopyPayload }
}

type Decision = Pick<ReviewDecision, 'decision' | 'makerTaskId' | 'reason' | 'by'>

async function endReview(
  deps: ReviewDeps,
  taskId: string,
  decision: Decision,
  decide: (attempt: Attempt, job: Job) => Move,
): Promise<void> {
  await deps.outbox.transaction(async (sql, send) => {
    const job = await seizeJobOf(deps, sql, taskId)
    const [attempt] = await findReview(sql, taskId)
    // Between the look at it and the lock it can have gone on to its copy, which another job carries.
    if (!attempt || jobKindOf(attempt) !== job.kind) throw new Failure<Reason>('not_in_review')
    await writeDecision(deps, sql, send, decide(attempt, job), decision)
  })
}

const jobKindOf = ({ state }: Attempt) => (state === 'copying' ? recopyJob : attemptJob)

/** Whoever looks the attempt up, polls it or copies its output at this moment loses its lease, and with it its say. */
async function seizeJobOf({ leaseMs }: ReviewDeps, sql: TransactionSql, taskId: string): Promise<Job> {
  const [attempt] = await findReview(sql, taskId)
  if (!attempt) throw new Failure<Reason>('not_in_review')
  const kind = jobKindOf(attempt)
  await insertJobs(sql, [{ kind, id: attempt.id, fairnessKey: attempt.accountId }])
  const [job] = await seizeJobs(sql, kind, [attempt.id], leaseOwner, leaseMs)
  // Whoever held the row a moment ago ended the review, and its job with it.
  if (!job) throw new Failure<Reason>('not_in_review')
  return job
}

async function writeDecision(deps: ReviewDeps, sql: TransactionSql, send: Send, move: Move, decision: Decision): Promise<void> {
  const { id: attemptId, taskId } = move.attempt
  if (move.to) checkMove(move.attempt.state, move.to)
  const held = await moveAttempts(sql, [move], insertOutbox(sql, []))
  // Whoever decided at this moment was first.
  if (!held.has(move.job.id)) throw new Failure<Reason>('not_in_review')
  send(eventsOf(deps.topicPrefix, move))
  await insertReviewDecision(sql, { attemptId, taskId, ...decision })
}
