import type { Grant } from '../account/account'
import { creditsOf, type Reservation } from '../reservation/reservation'

export type Book = 'customer_paid' | 'customer_starter' | 'reserved' | 'revenue' | 'issued'
export type EntryKind = 'grant' | 'reserve' | 'settle' | 'refund'

/** One line of one book. All entries of one source (a task or a grant) and kind are a transaction and sum to zero. */
export type Entry = { sourceId: string; kind: EntryKind; book: Book; accountId: string; credits: number }

export const grantEntries = ({ id, accountId, balance, credits }: Grant): Entry[] =>
  transaction(id, 'grant', accountId, { issued: -credits, [balance === 'paid' ? 'customer_paid' : 'customer_starter']: credits })

export const reserveEntries = (reservation: Reservation): Entry[] =>
  transaction(reservation.taskId, 'reserve', reservation.accountId, {
    customer_paid: -reservation.paid,
    customer_starter: -reservation.starter,
    reserved: creditsOf(reservation),
  })

export const settleEntries = (reservation: Reservation): Entry[] =>
  transaction(reservation.taskId, 'settle', reservation.accountId, { reserved: -creditsOf(reservation), revenue: creditsOf(reservation) })

/** Returns credits to the balances they came from. */
export const refundEntries = (reservation: Reservation): Entry[] =>
  transaction(reservation.taskId, 'refund', reservation.accountId, {
    reserved: -creditsOf(reservation),
    customer_paid: reservation.paid,
    customer_starter: reservation.starter,
  })

function transaction(sourceId: string, kind: EntryKind, accountId: string, amounts: Partial<Record<Book, number>>): Entry[] {
  const entries: Entry[] = []
  for (const book of Object.keys(amounts) as Book[]) {
    const credits = amounts[book]
    if (credits) entries.push({ sourceId, kind, book, accountId, credits })
  }
  return entries
}
