import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { decode } from '@filmgate/proto/topics'
import type { Account } from '../account/account'
import type { Draft } from '../batch/draft'
import { type CreditsEvent, creditsEvents } from '../event/credits-event'
import type { Reservation } from './reservation'
import type { State } from './states'

/** `order`: the request's, where one was delivered again. */
export type Told = { taskId: string; accountId: string; order?: Order; traceparent?: string | undefined }

/**
 * Tells what was decided about a task's request and what has become of it, once more, at the moments at which that was so. Whoever missed it
 * hears it now and goes on from there; whoever didn't tells what it made of it, down to the end of the line.
 */
export function retell(draft: Draft, { taskId, accountId, order, traceparent }: Told): void {
  if (draft.toldTasks.has(taskId)) return
  const reservation = draft.reservations.get(taskId)
  const declined = draft.declined.get(taskId)
  if (reservation?.accountId === accountId) {
    const event = reservedAgain(draft, reservation, order)
    if (event) send(draft, reservation, event, traceparent)
    tellState(draft, reservation, traceparent)
  } else if (declined?.accountId === accountId) {
    draft.toldTasks.add(taskId)
    send(draft, declined, creditsEvents(declined.declinedAtMs).declined(declined), traceparent)
  }
}

/** The event as it went out; where that is not kept any more, the same of the order that came again. */
function reservedAgain(draft: Draft, reservation: Reservation, order: Order | undefined): CreditsEvent | undefined {
  const kept = draft.reservedEvents.get(reservation.taskId)
  if (kept) return decode(CreditsEventSchema, kept).event as CreditsEvent
  const { reservedAvailable, reservedVersion, reservedAtMs } = reservation
  const account = accountAt(draft, reservation, { available: reservedAvailable, balanceVersion: reservedVersion, postedAtMs: reservedAtMs })
  return order && account && creditsEvents(reservedAtMs).reserved(order, account)
}

type Left = { available: number | null; balanceVersion: number | null; postedAtMs: number }

/** The account as a posting left it; with the balance of now where an earlier version posted and didn't keep it. */
function accountAt(draft: Draft, { accountId }: Reservation, { available, balanceVersion, postedAtMs }: Left): Account | undefined {
  const account = draft.accounts.get(accountId)
  if (!account) return undefined
  return available === null || balanceVersion === null ? { ...account, postedAtMs } : { ...account, available, balanceVersion, postedAtMs }
}

const eventsOf: Record<State, (draft: Draft, reservation: Reservation) => CreditsEvent | undefined> = {
  reserved: () => undefined,
  review: (_, reservation) => creditsEvents(reservation.changedAtMs).reviewOpened(reservation),
  refund_pending: (_, reservation) => creditsEvents(reservation.changedAtMs).refundPending(reservation),
  settled: (_, reservation) => creditsEvents(reservation.changedAtMs).settled(reservation),
  refunded(draft, reservation) {
    const { refundedAvailable, refundedVersion, changedAtMs } = reservation
    const account = accountAt(draft, reservation, {
      available: refundedAvailable,
      balanceVersion: refundedVersion,
      postedAtMs: changedAtMs,
    })
    return account && creditsEvents(changedAtMs).refunded(reservation, account)
  },
}

/** Tells the state of a reservation after it was made, unless this batch has told it already. */
export function tellState(draft: Draft, reservation: Reservation, traceparent: string | undefined): void {
  if (draft.toldTasks.has(reservation.taskId)) return
  draft.toldTasks.add(reservation.taskId)
  const event = eventsOf[reservation.state](draft, reservation)
  if (event) send(draft, reservation, event, traceparent)
}

function send(draft: Draft, { accountId }: { accountId: string }, event: CreditsEvent, traceparent: string | undefined): void {
  draft.sent.push({ accountId, event, traceparent })
  // It has the balance of its moment: whoever missed it may have missed the later ones, too.
  if (event.case === 'creditsReserved' || event.case === 'creditsRefunded') draft.untold.set(accountId, traceparent)
  draft.toldAgain++
}
