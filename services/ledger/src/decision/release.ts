import { Failure } from '@filmgate/kit/failure'
import type { BookChanges, Outcome } from '../books/book-changes'
import type { ReleaseTask } from '../books/instruction'
import type { Reason } from '../errors'
import { creditsDeclined } from './credits-event'

/**
 * Ends a request that the ledger never received, as an operator decided. It is declined, so that it can't be reserved when it comes after all,
 * and the gateway frees its Idempotency-Key.
 */
export function release(changes: BookChanges, { taskId, accountId, reason, by, admitByMs, traceparent }: ReleaseTask): Outcome {
  if (changes.reservations.has(taskId)) throw new Failure<Reason>('reservation_exists')
  if (changes.declined.has(taskId)) return 'decided_before'
  const available = changes.accounts.get(accountId)?.available ?? 0
  const declined = { taskId, accountId, reason: 'released' as const, required: 0, available, admitByMs, declinedAtMs: changes.rules.nowMs }
  changes.declined.set(taskId, declined)
  changes.releases.push({ taskId, accountId, reason, by })
  changes.tasksWithEvents.add(taskId)
  changes.events.push({ accountId, event: creditsDeclined(declined), traceparent })
  return 'decided'
}
