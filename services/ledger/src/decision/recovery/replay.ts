import { fromBinary } from '@bufbuild/protobuf'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { GenerationRequestedSchema } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { decode } from '@filmgate/proto/topics'
import type { Account } from '../../books/account'
import type { BookChanges, CreditsEvent } from '../../books/book-changes'
import type { TaskInstruction } from '../../books/instruction'
import type { Reservation } from '../../books/reservation'
import { creditsDeclined, creditsReserved, stateEvent, taskRecorded } from '../credits-event'

/**
 * Publishes again what was decided about a task and the state it has come to, each with the moment of its decision. A service that missed it goes
 * on from there. One that did not publishes in turn what it decided, so that every step behind this one is healed. A verdict brings only the
 * state: CreditsReserved would bring the same verdict again, without end.
 */
export function replay(changes: BookChanges, instruction: TaskInstruction): void {
  const { kind, taskId, accountId, traceparent } = instruction
  if (changes.tasksWithEvents.has(taskId)) return
  const reservation = changes.reservations.get(taskId)
  const declined = changes.declined.get(taskId)
  if (reservation?.accountId === accountId) {
    // Of a task that has ended the gateway has no whole order, and nobody may go on from it.
    const order = kind === 'reserve' && !instruction.held?.ended ? instruction.order : undefined
    const reserved = kind === 'conclude' ? undefined : reservedAgain(changes, reservation, order)
    const recorded = kind === 'replay' ? recordedAgain(changes, reservation, reserved) : undefined
    for (const event of [recorded, reserved, stateAgain(changes, reservation)])
      if (event) publishAgain(changes, accountId, event, traceparent)
  } else if (declined?.accountId === accountId) publishAgain(changes, accountId, creditsDeclined(declined), traceparent)
  else return
  changes.tasksWithEvents.add(taskId)
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

/** For a gateway that lost the task's rows; with the whole order as long as that is kept. */
function recordedAgain(changes: BookChanges, reservation: Reservation, reserved: CreditsEvent | undefined): CreditsEvent | undefined {
  const bytes = changes.requests.get(reservation.taskId)
  if (!bytes) return undefined
  const { reservedAvailable, reservedVersion, reservedAtMs, starter } = reservation
  const balance = { available: reservedAvailable, balanceVersion: reservedVersion, postedAtMs: reservedAtMs }
  const account = accountAfter(changes, reservation, balance)
  const { idempotencyKey, fingerprint, tags, order } = fromBinary(GenerationRequestedSchema, bytes)
  const whole = reserved?.case === 'creditsReserved' ? reserved.value.order : undefined
  const request = { idempotencyKey, fingerprint, tags, order: whole ?? order }
  return account && taskRecorded(request, { starter, account, open: whole !== undefined })
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

/** The state that a reservation has come to since it was made; undefined while it is reserved. */
function stateAgain(changes: BookChanges, reservation: Reservation): CreditsEvent | undefined {
  const { refundedAvailable, refundedVersion, changedAtMs } = reservation
  const balance = { available: refundedAvailable, balanceVersion: refundedVersion, postedAtMs: changedAtMs }
  const account = accountAfter(changes, reservation, balance)
  return account && stateEvent(reservation, account)
}

function publishAgain(changes: BookChanges, accountId: string, event: CreditsEvent, traceparent: string | undefined): void {
  changes.events.push({ accountId, event, traceparent })
  // The event states the balance of its own moment. A service that missed it may have missed later balances too: the one of now follows.
  if (event.case === 'creditsReserved' || event.case === 'creditsRefunded' || (event.case === 'creditsSettled' && event.value.refunded))
    changes.unpublishedBalances.set(accountId, traceparent)
  changes.eventsReplayed++
}
