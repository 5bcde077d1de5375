import { Failure } from '@filmgate/kit/failure'
import type { Draft } from '../batch/draft'
import type { ReleaseTask } from '../batch/instruction'
import type { Reason } from '../errors'
import { retell } from './retell'

/**
 * Ends a request that never came here, as an operator decided: it is declined, so that it can't be reserved when it comes after all, and the
 * gateway frees its Idempotency-Key. Once declined, for whatever reason, that is told again.
 */
export function release(draft: Draft, { taskId, accountId, reason, by, admitByMs, traceparent }: ReleaseTask): void {
  if (draft.reservations.has(taskId)) throw new Failure<Reason>('reservation_exists')
  if (draft.declined.has(taskId)) return void retell(draft, { taskId, accountId, traceparent })
  const available = draft.accounts.get(accountId)?.available ?? 0
  const declined = { taskId, accountId, reason: 'released' as const, required: 0, available, admitByMs, declinedAtMs: draft.rules.nowMs }
  draft.declined.set(taskId, declined)
  draft.releases.push({ taskId, accountId, reason, by })
  draft.toldTasks.add(taskId)
  draft.sent.push({ accountId, event: draft.events.declined(declined), traceparent })
}
