import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { Attempt } from '../attempt/attempt'
import { isIdTaken } from '../attempt/attempt-repository'
import { acceptedTransition, type Transition } from '../attempt/transition'
import type { Reason } from '../errors'
import type { Routing } from '../routing/routing'
import { type CheckIdDeps, checkProviderTaskId } from './check-provider-task-id'
import { acceptedAsKnown, jobKindOf, refunded, retried } from './decide-review'
import { findReview, type ReviewDecision } from './review-repository'
import { takeOverJobs, writeDecisions } from './write-decisions'

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
    if (attempt.state !== 'unknown') return acceptedAsKnown(attempt, job, { providerTaskId, echoed })
    const columns = { providerTaskId, echoed, operatorAccepted: true }
    return {
      ...acceptedTransition({ at: deps.now() }, attempt, job, connector, columns),
      after: { next: 'again', afterMs: 0, resetTries: true },
    }
  }).catch(error => {
    throw isIdTaken(error) ? new Failure<Reason>('provider_task_id_taken', { cause: error }) : error
  })
  deps.wake()
}

/** What it waits for is tried again now. */
export async function retryReview(deps: ReviewDeps, { taskId, reason, by }: EndReview): Promise<void> {
  await endReview(deps, taskId, { decision: 'retry', providerTaskId: null, reason, by }, (attempt, job) => retried(attempt, job))
  deps.wake()
}

export const refundReview = (deps: ReviewDeps, { taskId, reason, by }: EndReview): Promise<void> =>
  endReview(deps, taskId, { decision: 'refund', providerTaskId: null, reason, by }, (attempt, job) =>
    refunded(attempt, job, deps.now(), { by, reason }),
  )

type Decision = Pick<ReviewDecision, 'decision' | 'providerTaskId' | 'reason' | 'by'>

async function endReview(
  deps: ReviewDeps,
  taskId: string,
  decision: Decision,
  decide: (attempt: Attempt, job: Job) => Transition,
): Promise<void> {
  await deps.outbox.transaction(async (sql, send) => {
    const job = await takeOverJobOf(deps, sql, taskId)
    const [attempt] = await findReview(sql, taskId)
    // Before its job was locked, the attempt can have gone on to its copy, which has another job.
    if (!attempt || jobKindOf(attempt) !== job.kind) throw new Failure<Reason>('not_in_review')
    await writeDecisions(deps.topicPrefix, sql, send, [{ transition: decide(attempt, job), decision: { ...decision, bulkId: null } }])
  })
}

async function takeOverJobOf({ leaseMs }: ReviewDeps, sql: TransactionSql, taskId: string): Promise<Job> {
  const [attempt] = await findReview(sql, taskId)
  if (!attempt) throw new Failure<Reason>('not_in_review')
  const job = (await takeOverJobs(sql, [attempt], leaseMs)).get(attempt.id)
  // Whoever had the row locked before has ended the review, and deleted its job.
  if (!job) throw new Failure<Reason>('not_in_review')
  return job
}
