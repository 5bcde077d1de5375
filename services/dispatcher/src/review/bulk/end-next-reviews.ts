import { Failure } from '@filmgate/kit/failure'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import type { Transition } from '../../attempt/transition'
import type { Reason } from '../../errors'
import { acceptedAsKnown, type ReviewOutcome, refunded, retried } from '../decide-review'
import type { ReviewDeps } from '../end-review'
import { takeOverJobs, writeDecisions } from '../write-decisions'
import { isAwaited } from './approve-bulk-end'
import {
  type BulkEnd,
  findBulkEnd,
  findHeld,
  type HeldAttempt,
  lockBulkEnd,
  lockJobsOf,
  takeNextReviews,
  updateProgress,
} from './bulk-repository'

/** In one transaction, so that nobody waits long for the locks of their jobs. */
const batchMax = 500
/** The part of a provider's budget that goes to what is tried again: the rest is for attempts that run. */
const budgetPart = 0.5

/**
 * Ends the next reviews of a bulk end, in the name of who asked for it: all of a batch or none. Each review is looked at once, however often
 * this is repeated or interrupted; what is no longer in review is passed over. 403 until a second operator has approved it.
 */
export async function endNextReviews(deps: ReviewDeps, id: number): Promise<BulkEnd> {
  const bulk = await deps.outbox.transaction(async (sql, send) => {
    const bulk = await lockBulkEnd(sql, id)
    if (!bulk) throw new Failure<Reason>('bulk_end_not_found')
    if (isAwaited(bulk)) throw new Failure<Reason>('second_person_required')
    if (bulk.endedAt !== null) return bulk
    const ids = (await takeNextReviews(sql, bulk, batchMax)).map(next => next.id)
    await lockJobsOf(sql, ids)
    // Causes change: whoever asked or approved saw this many, so no more are ended.
    const held = (await findHeld(sql, ids, bulk.outcome)).slice(0, bulk.reviews - bulk.ended)
    const jobs = await takeOverJobs(sql, held, deps.leaseMs)
    const stepMs = stepOf(deps, bulk)
    const decided = held.flatMap((attempt, index) => {
      const job = jobs.get(attempt.id)
      return job ? [{ attempt, job, afterMs: bulk.plannedMs + index * stepMs }] : []
    })
    await writeDecisions(
      deps.topicPrefix,
      sql,
      send,
      decided.map(one => ({ transition: decide(deps, bulk, one), decision: decisionOf(bulk, one.attempt) })),
    )
    const plannedMs = bulk.plannedMs + decided.length * stepMs
    await updateProgress(sql, {
      id,
      ended: decided.length,
      plannedMs,
      isDone: ids.length < batchMax || bulk.ended + decided.length >= bulk.reviews,
    })
    return findBulkEnd(sql, id)
  })
  if (!bulk) throw new Failure<Reason>('bulk_end_not_found')
  deps.wake()
  return bulk
}

type Decidable = { attempt: HeldAttempt; job: Job; afterMs: number }

function decide({ now }: ReviewDeps, { outcome, askedBy, reason }: BulkEnd, { attempt, job, afterMs }: Decidable): Transition {
  const decisions: Record<ReviewOutcome, () => Transition> = {
    retry: () => retried(attempt, job, afterMs),
    // An id that a callback told is written only once a poll confirms it.
    accept: () => acceptedAsKnown(attempt, job, {}, afterMs),
    refund: () => refunded(attempt, job, now(), { by: askedBy, reason }),
  }
  return decisions[outcome]()
}

const decisionOf = ({ id, outcome, reason, askedBy }: BulkEnd, { knownId }: HeldAttempt) => ({
  decision: outcome,
  providerTaskId: outcome === 'accept' ? knownId : null,
  ...{ reason, by: askedBy, bulkId: id },
})

/** How far apart the reviews are tried again. */
function stepOf({ routing }: ReviewDeps, { provider, outcome }: BulkEnd): number {
  const perSecond = routing.connectorOf(provider)?.budget.perSecond
  return outcome === 'refund' || perSecond === undefined ? 0 : 1_000 / (perSecond * budgetPart)
}
