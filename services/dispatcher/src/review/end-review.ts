import { Failure } from '@filmgate/kit/failure'
import { leaseOwner } from '@filmgate/kit/jobs'
import { insertJobs, type Job, seizeJobs } from '@filmgate/kit/jobs-repository'
import type { Outbox, Send } from '@filmgate/kit/outbox'
import { insertOutbox } from '@filmgate/kit/outbox-repository'
import type { TransactionSql } from '@filmgate/kit/postgres'
import { type Attempt, checkMove } from '../attempt/attempt'
import { acceptedMove } from '../attempt/decide'
import { failed, refused } from '../attempt/events'
import { attemptJob } from '../attempt/jobs'
import type { Move } from '../attempt/move'
import { moveAttempts } from '../attempt/move-repository'
import { eventsOf } from '../attempt/write-moves'
import type { Reason } from '../errors'
import type { Routing } from '../routing/routing'
import { findReview, insertReviewDecision } from './review-repository'

export type ReviewDeps = {
  outbox: Outbox
  topicPrefix: string
  routing: Routing
  leaseMs: number
  now: () => Date
  /** Has due attempts looked at now. */
  wake(): void
}

export type AcceptReview = { taskId: string; makerTaskId: string; reason: string }
export type RefundReview = { taskId: string; reason: string }

/** The maker has it, under this id: polled from now on, settled once its video is copied. */
export async function acceptReview(deps: ReviewDeps, { taskId, makerTaskId, reason }: AcceptReview): Promise<void> {
  await endReview(deps, taskId, { decision: 'accept', makerTaskId, reason }, (attempt, job) => {
    const connector = deps.routing.connectorOf(attempt.maker)
    if (!connector) throw new Failure<Reason>('invalid_request', { message: `Maker ${attempt.maker} is not configured.` })
    // The operator's word is believed where the maker doesn't repeat our id.
    const columns = { makerTaskId, echoed: false }
    if (attempt.state === 'unknown')
      return { ...acceptedMove(deps.now(), attempt, job, connector, columns), after: { next: 'again', afterMs: 0, resetTries: true } }
    return { attempt, job, columns, after: { next: 'again', afterMs: 0 } }
  })
  deps.wake()
}

/** The maker never made it, or never will: the client gets its credits back. */
export const refundReview = (deps: ReviewDeps, { taskId, reason }: RefundReview): Promise<void> =>
  endReview(deps, taskId, { decision: 'refund', makerTaskId: null, reason }, (attempt, job) => {
    const cause = `an operator decided: ${reason}`.slice(0, 500)
    if (attempt.state === 'unknown') {
      const code = 'generation_unavailable'
      return { attempt, job, to: 'refused', columns: { code, cause }, events: [refused(attempt, deps.now(), code)], after: { next: 'end' } }
    }
    const code = 'generation_failed'
    return { attempt, job, to: 'failed', columns: { code, cause }, events: [failed(attempt, deps.now(), code)], after: { next: 'end' } }
  })

type Decision = { decision: 'accept' | 'refund'; makerTaskId: string | null; reason: string }

async function endReview(
  deps: ReviewDeps,
  taskId: string,
  decision: Decision,
  decide: (attempt: Attempt, job: Job) => Move,
): Promise<void> {
  await deps.outbox.transaction(async (sql, send) => {
    const job = await seizeJobOf(deps, sql, taskId)
    const [attempt] = await findReview(sql, taskId)
    if (!attempt) throw new Failure<Reason>('not_in_review')
    await writeDecision(deps, sql, send, decide(attempt, job), decision)
  })
}

/** Whoever looks the attempt up or polls it at this moment loses its lease, and with it its say. */
async function seizeJobOf({ leaseMs }: ReviewDeps, sql: TransactionSql, taskId: string): Promise<Job> {
  const [attempt] = await findReview(sql, taskId)
  if (!attempt) throw new Failure<Reason>('not_in_review')
  await insertJobs(sql, [{ kind: attemptJob, id: attempt.id, fairnessKey: attempt.accountId }])
  const [job] = await seizeJobs(sql, attemptJob, [attempt.id], leaseOwner, leaseMs)
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
