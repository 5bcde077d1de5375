import { Failure } from '@filmgate/kit/failure'
import type { BookChanges } from '../books/book-changes'
import type { ReleaseTask } from '../books/instruction'
import type { Reason } from '../errors'
import { creditsDeclined } from './credits-event'
import { retell } from './retell'

/**
 * Ends a request that the ledger never received, as an operator decided. It is declined, so that it can't be reserved when it comes after all,
 * and the gateway frees its Idempotency-Key. A request that was declined before is retold.
 */
export function release(changes: BookChanges, { taskId, accountId, reason, by, admitByMs, traceparent }: ReleaseTask): void {
  if (changes.reservations.has(taskId)) throw new Failure<Reason>('reservation_exists')
  if (changes.declined.has(taskId)) return void retell(changes, { taskId, accountId, traceparent })
  const available = changes.accounts.get(accountId)?.available ?? 0
  const declined = { taskId, accountId, reason: 'released' as const, required: 0, available, admitByMs, declinedAtMs: changes.rules.nowMs }
  changes.declined.set(taskId, declined)
  changes.releases.push({ taskId, accountId, reason, by })
  changes.tasksWithEvents.add(taskId)
  changes.events.push({ accountId, event: creditsDeclined(declined), traceparent })
}
