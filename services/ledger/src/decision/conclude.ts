import { invariant } from '@filmgate/kit/failure'
import { type Account, postingAtMs } from '../books/account'
import type { BookChanges, Outcome } from '../books/book-changes'
import { endEntries } from '../books/entry'
import type { Conclude } from '../books/instruction'
import { creditsOf, type Reservation, refundOf, reviewCountsMsMax } from '../books/reservation'
import { nextState, recordedCause, type State } from '../books/reservation-states'
import { returnSpend } from './budgets/budget'
import { stateEvent } from './credits-event'
import { dueCreditsFault, undeliveredCredits } from './due-credits'

/**
 * Takes a reservation to the state that the cause leads to: to review, to its settlement, to a pending refund or to the refund. A completion
 * settles what is due, and returns the rest at once.
 */
export function conclude(changes: BookChanges, { taskId, accountId, cause, dueCredits, mayRunUntilMs, traceparent }: Conclude): Outcome {
  const reservation = changes.reservations.get(taskId)
  const contradict = (state: State | undefined): Outcome => {
    changes.contradictions.push({ taskId, accountId, verdict: recordedCause(cause), state })
    return 'decided'
  }
  // The reservation of another account is not locked here, and nothing was said of it.
  if (reservation?.accountId !== accountId) return contradict(undefined)
  const state = nextState(reservation.state, cause)
  if (state === 'contradiction') return contradict(reservation.state)
  const detail = dueCreditsFault(reservation, dueCredits)
  if (detail) changes.contradictions.push({ taskId, accountId, verdict: 'wrong_due_credits', state: reservation.state, detail })
  // A refund that is due comes from the ledger itself: nobody missed what was published of it.
  if (state === 'stale') return cause === 'refund_due' ? 'decided' : 'decided_before'
  const refunded = state === 'refunded' ? creditsOf(reservation) : state === 'settled' ? undeliveredCredits(reservation, dueCredits) : 0
  const { nowMs } = changes.rules
  const countsUntilMs = state === 'review' ? Math.min(mayRunUntilMs ?? Infinity, nowMs + reviewCountsMsMax) : reservation.countsUntilMs
  const concluded = { ...reservation, state, refunded, changedAtMs: nowMs, countsUntilMs }
  const account = state === 'settled' || state === 'refunded' ? end(changes, concluded) : accountOf(changes, concluded)
  const left = refunded > 0 ? { refundedAvailable: account.available, refundedVersion: account.balanceVersion } : {}
  changes.reservations.set(taskId, { ...concluded, ...left })
  changes.tasksWithEvents.add(taskId)
  const event = stateEvent(concluded, account)
  invariant(event, `${taskId} never returns to reserved`)
  changes.events.push({ accountId, event, traceparent })
  if (refunded > 0) changes.unpublishedBalances.set(accountId, traceparent)
  returnSpend(changes, concluded, traceparent)
  return 'decided'
}

/** Posts the ending; returns the account after it. A pending refund keeps its credits held until it comes here. */
function end(changes: BookChanges, reservation: Reservation): Account {
  const account = accountOf(changes, reservation)
  const returned = refundOf(reservation)
  const after = {
    ...account,
    available: account.available + returned.paid,
    starter: account.starter + returned.starter,
    unfinished: account.unfinished - 1,
    balanceVersion: account.balanceVersion + (reservation.refunded > 0 ? 1 : 0),
    postedAtMs: postingAtMs(account, changes.rules.nowMs),
  }
  changes.accounts.set(account.id, after)
  changes.entries.push(...endEntries(reservation, after))
  return after
}

function accountOf(changes: BookChanges, { accountId, taskId }: Reservation): Account {
  const account = changes.accounts.get(accountId)
  invariant(account, `the account of ${taskId} is open`)
  return account
}
