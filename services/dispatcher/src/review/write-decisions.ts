import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertJobs, type Job, stealJobs } from '@filmgate/kit/jobs/job-repository'
import { leaseOwner } from '@filmgate/kit/jobs/job-worker'
import type { Send } from '@filmgate/kit/outbox/outbox'
import { insertOutbox } from '@filmgate/kit/outbox/outbox-repository'
import type { Attempt } from '../attempt/attempt'
import { transitionAttempts } from '../attempt/attempt-repository'
import { checkTransition, type Transition } from '../attempt/transition'
import { eventsOf } from '../attempt/write-transitions'
import type { Reason } from '../errors'
import { jobKindOf } from './decide-review'
import { insertReviewDecisions, type ReviewDecision } from './review-repository'

export type Decided = { transition: Transition; decision: Omit<ReviewDecision, 'attemptId' | 'taskId'> }

/** Whoever looks these attempts up, polls them or copies their outputs at this moment loses its lease, and writes nothing more. */
export async function takeOverJobs(sql: TransactionSql, attempts: Attempt[], leaseMs: number): Promise<Map<string, Job>> {
  await insertJobs(
    sql,
    attempts.map(attempt => ({ kind: jobKindOf(attempt), id: attempt.id, fairnessKey: attempt.accountId })),
  )
  const ofKinds = [...Map.groupBy(attempts, jobKindOf)].map(([kind, some]) => {
    const ids = some.map(({ id }) => id)
    return stealJobs(sql, kind, ids, leaseOwner, leaseMs)
  })
  return new Map((await Promise.all(ofKinds)).flat().map(job => [job.id, job]))
}

/** Writes all of them with their events, or none: 409 where somebody else has changed one of these attempts. */
export async function writeDecisions(topicPrefix: string, sql: TransactionSql, send: Send, decided: Decided[]): Promise<void> {
  const transitions = decided.map(({ transition }) => transition)
  for (const { attempt, to } of transitions) if (to) checkTransition(attempt.state, to)
  const held = await transitionAttempts(sql, transitions, insertOutbox(sql, []))
  if (transitions.some(({ job }) => !held.has(job.id))) throw new Failure<Reason>('not_in_review')
  send(transitions.flatMap(transition => eventsOf(topicPrefix, transition)))
  await insertReviewDecisions(
    sql,
    decided.map(({ transition: { attempt }, decision }) => ({ attemptId: attempt.id, taskId: attempt.taskId, ...decision })),
  )
}
