import type { Incoming } from '@filmgate/kit/bus/bus'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { leaseOwner } from '@filmgate/kit/jobs/job-worker'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { CancelRequested, RequestsEvent } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { attemptInPlaceOfOrder } from '../attempt/attempt-in-place-of-order'
import { insertAttempts } from '../attempt/attempt-repository'
import { outgoing, refused } from '../attempt/events'
import { cancelJob } from '../attempt/jobs'
import { cancels } from './cancels'

export type TakeCancelsDeps = {
  outbox: Outbox
  topicPrefix: string
  attemptSecret: string
  leaseMs: number
  now: () => Date
  /** Has due cancels looked at now. */
  wake(): void
}

type Message = Pick<Incoming<RequestsEvent['event']>, 'event' | 'traceparent'>

/**
 * A task whose order has not come gets a refused attempt at once, so that the order starts nothing when it comes. What becomes of any other
 * is decided by a job.
 */
export async function takeCancels(deps: TakeCancelsDeps, messages: Message[]): Promise<void> {
  // One transaction each: two that insert the same attempts in another order would wait for each other.
  for (const { event, traceparent } of messages)
    if (event.case === 'cancelRequested') await takeCancel(deps, event.value, traceparent ?? null)
}

async function takeCancel(deps: TakeCancelsDeps, request: CancelRequested, traceparent: string | null): Promise<void> {
  const { taskId, accountId, model } = request
  const cause = 'cancelled before its order came'
  const row = attemptInPlaceOfOrder(deps, { taskId, accountId, model, traceparent, code: 'cancelled', cause })
  const fresh = await deps.outbox.transaction(async (sql, send) => {
    const inserted = await insertAttempts(sql, [row], { owner: leaseOwner, leaseMs: deps.leaseMs })
    if (inserted.size > 0) send([outgoing(deps.topicPrefix, row, refused(row, deps.now(), 'cancelled'))])
    else await insertJobs(sql, [{ kind: cancelJob, id: taskId, fairnessKey: accountId }])
    return inserted.size > 0
  })
  if (fresh) cancels.add(1, { outcome: 'before_submit' })
  else deps.wake()
}
