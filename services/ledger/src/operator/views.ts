import type { Balances, Contradiction, Declined, Entry, Release, Reservation } from '@filmgate/proto/operator/books'
import { countsAt, creditsOf } from '../books/reservation'
import type { AccountRow } from '../database/account-repository'
import type { ContradictionRow } from '../database/contradiction-repository'
import type { DeclinedRow } from '../database/declined-repository'
import type { EntryRow } from '../database/entry-repository'
import type { ReleaseRow } from '../database/release-repository'
import type { ReservationRow } from '../database/reservation-repository'

export const reservationView = (reservation: ReservationRow): Reservation => ({
  task_id: reservation.taskId,
  account_id: reservation.accountId,
  surface: reservation.surface,
  state: reservation.state,
  credits: creditsOf(reservation),
  paid: reservation.paid,
  starter: reservation.starter,
  refunded: reservation.refunded,
  price_version: reservation.priceVersion,
  reserved_at: reservation.reservedAt.toISOString(),
  changed_at: reservation.changedAt.toISOString(),
  ended_at: reservation.endedAt?.toISOString() ?? null,
  counts_until: reservation.countsUntil?.toISOString() ?? null,
})

export const entryView = ({ kind, book, accountId, credits, at }: EntryRow): Entry => ({
  kind,
  book,
  account_id: accountId,
  credits,
  at: at.toISOString(),
})

export const declinedView = ({ taskId, accountId, reason, required, available, declinedAt }: DeclinedRow): Declined => ({
  task_id: taskId,
  account_id: accountId,
  reason,
  required,
  available,
  declined_at: declinedAt.toISOString(),
})

export const releaseView = ({ reason, by, releasedAt }: ReleaseRow): Release => ({ reason, by, released_at: releasedAt.toISOString() })

export const contradictionView = (one: ContradictionRow): Contradiction => ({
  verdict: one.verdict,
  state: one.state,
  detail: one.detail,
  seen_at: one.seenAt.toISOString(),
  times: one.times,
  acknowledged_at: one.acknowledgedAt?.toISOString() ?? null,
  acknowledged_reason: one.acknowledgedReason,
  acknowledged_by: one.acknowledgedBy,
  acknowledgements: one.acknowledgements,
})

/** `unfinished` is what counts towards the limit, of the account's open reservations. */
export const accountView = (account: AccountRow, open: ReservationRow[], nowMs: number): Balances => ({
  account_id: account.id,
  available: account.available,
  starter: account.starter,
  owed: account.owed,
  unfinished: open.filter(({ state, countsUntil }) => countsAt(nowMs, { state, countsUntilMs: countsUntil?.getTime() ?? null })).length,
  balance_version: account.balanceVersion,
  opened_at: account.openedAt.toISOString(),
})
