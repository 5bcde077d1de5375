import { invariant } from '@filmgate/kit/failure'
import { postingAtMs } from '../books/account'
import type { BookChanges, CreditsEvent } from '../books/book-changes'
import { refundEntries, settleEntries } from '../books/entry'
import type { Conclude } from '../books/instruction'
import type { Reservation } from '../books/reservation'
import { nextState, recordedCause, type State } from '../books/reservation-states'
import { creditsRefunded, creditsSettled, refundPending, reviewOpened } from './credits-event'
import { retellState } from './retell'

/** Takes a reservation to the state that the cause leads to: to review, to its settlement, to a pending refund or to the refund. */
export function conclude(changes: BookChanges, { taskId, accountId, cause, traceparent }: Conclude): void {
  const reservation = changes.reservations.get(taskId)
  const contradict = (state: State | undefined) => changes.contradictions.push({ taskId, accountId, verdict: recordedCause(cause), state })
  // The reservation of another account is not locked here, and nothing was said of it.
  if (reservation?.accountId !== accountId) return void contradict(undefined)
  const state = nextState(reservation.state, cause)
  // Delivered again: the state is published once more for a service that missed it. A refund that is due comes from the ledger itself and is
  // no delivery.
  if (state === 'stale') {
    if (cause !== 'refund_due') retellState(changes, reservation, traceparent)
    return
  }
  if (state === 'contradiction') return void contradict(reservation.state)
  const concluded = { ...reservation, state, changedAtMs: changes.rules.nowMs }
  changes.tasksWithEvents.add(taskId)
  const event = consequences[state](changes, concluded)
  const account = state === 'refunded' ? changes.accounts.get(accountId) : undefined
  const balance = { refundedAvailable: account?.available ?? null, refundedVersion: account?.balanceVersion ?? null }
  changes.reservations.set(taskId, { ...concluded, ...balance })
  changes.events.push({ accountId, event, traceparent })
  if (state === 'refunded') changes.unpublishedBalances.set(accountId, traceparent)
}

/** What arriving in a state does to the account and the entries, and the event that says so. */
const consequences: Record<State, (changes: BookChanges, reservation: Reservation) => CreditsEvent> = {
  reserved(_, { taskId }) {
    invariant(false, `${taskId} returns to reserved`)
  },
  review: (_, reservation) => reviewOpened(reservation),
  settled(changes, reservation) {
    const account = accountOf(changes, reservation)
    const after = { ...account, unfinished: account.unfinished - 1, postedAtMs: postingAtMs(account, changes.rules.nowMs) }
    changes.accounts.set(account.id, after)
    changes.entries.push(...settleEntries(reservation, after))
    return creditsSettled(reservation)
  },
  // The credits stay held until the refund is posted; the client sees that it is under way.
  refund_pending: (_, reservation) => refundPending(reservation),
  refunded(changes, reservation) {
    const account = accountOf(changes, reservation)
    const after = {
      ...account,
      available: account.available + reservation.paid,
      starter: account.starter + reservation.starter,
      unfinished: account.unfinished - 1,
      balanceVersion: account.balanceVersion + 1,
      postedAtMs: postingAtMs(account, changes.rules.nowMs),
    }
    changes.accounts.set(account.id, after)
    changes.entries.push(...refundEntries(reservation, after))
    return creditsRefunded(reservation, after)
  },
}

function accountOf(changes: BookChanges, { accountId, taskId }: Reservation) {
  const account = changes.accounts.get(accountId)
  invariant(account, `the account of ${taskId} is open`)
  return account
}
