import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { decode } from '@filmgate/proto/topics'
import type { Account } from '../books/account'
import type { BookChanges, CreditsEvent } from '../books/book-changes'
import type { Retell } from '../books/instruction'
import type { Reservation } from '../books/reservation'
import { creditsDeclined, creditsReserved, stateEvent } from './credits-event'

/** `order`: the request's, where the request was delivered again. */
type RetoldTask = Omit<Retell, 'kind'> & { order?: Order }

/**
 * Publishes once more what was decided about a task's request and the state it has come to, each with the moment of its decision. A service
 * that missed it goes on from there; one that did not publishes in turn what it decided, so that every step behind this one is retold.
 */
export function retell(changes: BookChanges, { taskId, accountId, order, traceparent }: RetoldTask): void {
  if (changes.tasksWithEvents.has(taskId)) return
  const reservation = changes.reservations.get(taskId)
  const declined = changes.declined.get(taskId)
  if (reservation?.accountId === accountId) {
    const event = reservedAgain(changes, reservation, order)
    if (event) publishAgain(changes, reservation, event, traceparent)
    retellState(changes, reservation, traceparent)
  } else if (declined?.accountId === accountId) {
    changes.tasksWithEvents.add(taskId)
    publishAgain(changes, declined, creditsDeclined(declined), traceparent)
  }
}

/** The event as it was published; once that is no longer kept, the same event made of the order that was delivered again. */
function reservedAgain(changes: BookChanges, reservation: Reservation, order: Order | undefined): CreditsEvent | undefined {
  const kept = changes.reservedEvents.get(reservation.taskId)
  if (kept) return decode(CreditsEventSchema, kept).event as CreditsEvent
  const { reservedAvailable, reservedVersion, reservedAtMs } = reservation
  const balance = { available: reservedAvailable, balanceVersion: reservedVersion, postedAtMs: reservedAtMs }
  const account = accountAfter(changes, reservation, balance)
  return order && account && creditsReserved(order, reservation.starter, account)
}

type Balance = { available: number | null; balanceVersion: number | null; postedAtMs: number }

/** The account right after a posting; with the balance of now where an earlier version posted and didn't keep it. */
function accountAfter(
  changes: BookChanges,
  { accountId }: Reservation,
  { available, balanceVersion, postedAtMs }: Balance,
): Account | undefined {
  const account = changes.accounts.get(accountId)
  if (!account) return undefined
  return available === null || balanceVersion === null ? { ...account, postedAtMs } : { ...account, available, balanceVersion, postedAtMs }
}

/** Publishes once more the state that a reservation has come to since it was made, unless this batch has published it already. */
export function retellState(changes: BookChanges, reservation: Reservation, traceparent: string | undefined): void {
  if (changes.tasksWithEvents.has(reservation.taskId)) return
  changes.tasksWithEvents.add(reservation.taskId)
  const { refundedAvailable, refundedVersion, changedAtMs } = reservation
  const balance = { available: refundedAvailable, balanceVersion: refundedVersion, postedAtMs: changedAtMs }
  const account = accountAfter(changes, reservation, balance)
  const event = account && stateEvent(reservation, account)
  if (event) publishAgain(changes, reservation, event, traceparent)
}

type OfAccount = { accountId: string }

function publishAgain(changes: BookChanges, { accountId }: OfAccount, event: CreditsEvent, traceparent: string | undefined): void {
  changes.events.push({ accountId, event, traceparent })
  // The event states the balance of its own moment. A service that missed it may have missed later balances too: the one of now follows.
  if (event.case === 'creditsReserved' || event.case === 'creditsRefunded' || (event.case === 'creditsSettled' && event.value.refunded))
    changes.unpublishedBalances.set(accountId, traceparent)
  changes.eventsRetold++
}
