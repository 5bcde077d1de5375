import { invariant } from '@filmgate/kit/failure'
import { postingAtMs } from '../account/account'
import type { Draft } from '../batch/draft'
import type { Conclude } from '../batch/instruction'
import { refundEntries, settleEntries } from '../entry/entry'
import type { CreditsEvent } from '../event/credits-event'
import type { Reservation } from './reservation'
import { tellState } from './retell'
import { move, type State } from './states'

/** Moves a reservation by what is heard of its task: to review, to its settlement, to a pending refund or to the refund. */
export function conclude(draft: Draft, { taskId, accountId, heard, traceparent }: Conclude): void {
  const reservation = draft.reservations.get(taskId)
  // Another account's reservation is not locked here, and not this verdict's business.
  if (reservation?.accountId !== accountId) return void draft.contradictions.push({ taskId, accountId, verdict: heard, state: undefined })
  const next = move(reservation.state, heard)
  // Told again: whoever missed what became of it learns it now. A refund that is due comes from ourselves, and is no delivery.
  if (next === 'stale') {
    if (heard !== 'refund_due') tellState(draft, reservation, traceparent)
    return
  }
  if (next === 'contradiction') return void draft.contradictions.push({ taskId, accountId, verdict: heard, state: reservation.state })
  const moved = { ...reservation, state: next, changedAtMs: draft.rules.nowMs }
  draft.toldTasks.add(taskId)
  const event = consequences[next](draft, moved)
  const left = next === 'refunded' ? draft.accounts.get(accountId) : undefined
  draft.reservations.set(taskId, { ...moved, refundedAvailable: left?.available ?? null, refundedVersion: left?.balanceVersion ?? null })
  draft.sent.push({ accountId, event, traceparent })
  if (next === 'refunded') draft.untold.set(accountId, traceparent)
}

/** What arriving in a state does to the account and the entries, and the event that tells it. */
const consequences: Record<State, (draft: Draft, reservation: Reservation) => CreditsEvent> = {
  reserved(_, { taskId }) {
    invariant(false, `${taskId} returns to reserved`)
  },
  review: (draft, reservation) => draft.events.reviewOpened(reservation),
  settled(draft, reservation) {
    const account = accountOf(draft, reservation)
    const after = { ...account, unfinished: account.unfinished - 1, postedAtMs: postingAtMs(account, draft.rules.nowMs) }
    draft.accounts.set(account.id, after)
    draft.entries.push(...settleEntries(reservation, after))
    return draft.events.settled(reservation)
  },
  // The credits stay held until the refund is posted; the client sees that it is under way.
  refund_pending: (draft, reservation) => draft.events.refundPending(reservation),
  refunded(draft, reservation) {
    const account = accountOf(draft, reservation)
    const after = {
      id: account.id,
      available: account.available + reservation.paid,
      starter: account.starter + reservation.starter,
      unfinished: account.unfinished - 1,
      balanceVersion: account.balanceVersion + 1,
      postedAtMs: postingAtMs(account, draft.rules.nowMs),
    }
    draft.accounts.set(account.id, after)
    draft.entries.push(...refundEntries(reservation, after))
    return draft.events.refunded(reservation, after)
  },
}

function accountOf(draft: Draft, { accountId, taskId }: Reservation) {
  const account = draft.accounts.get(accountId)
  invariant(account, `the account of ${taskId} is open`)
  return account
}
