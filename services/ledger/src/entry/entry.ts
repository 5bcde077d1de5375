import type { ChangeTerms } from '../account/account'
import { creditsOf, type Reservation } from '../reservation/reservation'

export type Book = 'customer_paid' | 'customer_starter' | 'reserved' | 'revenue' | 'issued'
export type EntryKind = 'grant' | 'debit' | 'reserve' | 'settle' | 'refund'

/** One line of one book. All entries of one source (a task, a grant or a debit) and kind are a transaction and sum to zero. */
export type Entry = { sourceId: string; kind: EntryKind; book: Book; accountId: string; credits: number }

/** What a grant issues, a debit takes back. */
export function changeEntries({ id, kind, accountId, balance, credits }: ChangeTerms): Entry[] {
  const given = kind === 'grant' ? credits : -credits
  return transaction(id, kind, accountId, { issued: -given, [balance === 'paid' ? 'customer_paid' : 'customer_starter']: given })
}

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
