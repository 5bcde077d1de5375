import { Failure } from '@filmgate/kit/failure'
import { leaseOwner } from '@filmgate/kit/jobs/job-worker'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { State } from '../attempt/attempt'
import { attemptInPlaceOfOrder } from '../attempt/attempt-in-place-of-order'
import { insertAttempts } from '../attempt/attempt-repository'
import type { Reason } from '../errors'
import { insertRelease, type Release } from './release-repository'
import { type ReplayDeps, replay } from './replay'

export type ReleaseDeps = ReplayDeps & { outbox: Outbox; leaseMs: number; attemptSecret: string; now: () => Date }
export type ReleaseTask = Release & { model: string }

/**
 * Ends a task that no order came for, as an operator decided: an attempt that was refused without asking a provider is inserted for it, so that
 * the order, should it come after all, starts nothing. Where an attempt has ended without a video, its end is published again.
 */
export const releaseTask = (deps: ReleaseDeps, { model, ...release }: ReleaseTask): Promise<string[]> =>
  deps.outbox.transaction(async (sql, send) => {
    const { taskId, accountId, reason, by } = release
    const cause = `${by} released it: ${reason}`.slice(0, 500)
    const row = attemptInPlaceOfOrder(deps, { taskId, accountId, model, traceparent: null, code: 'generation_unavailable', cause })
    const fresh = await insertAttempts(sql, [row], { owner: leaseOwner, leaseMs: deps.leaseMs })
    if (fresh.size > 0) await insertRelease(sql, release)
    const { attempts, events } = await replay(deps, { sql, send }, [taskId])
    const [attempt] = attempts
    const refusal = attempt?.reviewSince ? 'attempt_in_review' : attempt && refusals[attempt.state]
    if (refusal) throw new Failure<Reason>(refusal)
    return events
  })

/** Why an attempt in that state is not to be ended this way. */
const refusals: Partial<Record<State, Reason>> = {
  sending: 'attempt_open',
  unknown: 'attempt_in_review',
  accepted: 'attempt_open',
  overdue: 'attempt_in_review',
  copying: 'attempt_open',
  completed: 'attempt_completed',
}
