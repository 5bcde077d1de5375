import type { Account, ChangeTerms, CreditChange } from './account'
import { creditsOf, type Reservation, refundOf } from './reservation'

export type Book = 'customer_paid' | 'customer_starter' | 'owed' | 'reserved' | 'revenue' | 'issued'
export const entryKinds = ['grant', 'debit', 'reserve', 'settle', 'refund'] as const
export type EntryKind = (typeof entryKinds)[number]

/** One line of one book. All entries of one source (a task, a grant or a debit) and kind are a transaction and sum to zero. */
export type Entry = {
  sourceId: string
  kind: EntryKind
  book: Book
  accountId: string
  credits: number
  /** The version of the account's balances right after, which orders its entries. */
  balanceVersion: number
  atMs: number
}

/**
 * A grant takes credits from the book `issued`, and a debit returns them there. What an account owes stands in the book `owed` as less than
 * nothing: a debit beyond the balance takes the rest from there, and a grant repays it there.
 */
export function changeEntries(
  { id, kind, balance, credits, owed }: Pick<CreditChange, keyof ChangeTerms | 'owed'>,
  after: Account,
): Entry[] {
  const sign = kind === 'grant' ? 1 : -1
  const moved = sign * (credits - owed)
  return transaction(id, kind, after, {
    issued: -sign * credits,
    owed: sign * owed,
    [balance === 'paid' ? 'customer_paid' : 'customer_starter']: moved,
  })
}

export const reserveEntries = (reservation: Reservation, after: Account): Entry[] =>
  transaction(reservation.taskId, 'reserve', after, {
    customer_paid: -reservation.paid,
    customer_starter: -reservation.starter,
    reserved: creditsOf(reservation),
  })

/** The one ending of a reservation: what is charged becomes revenue, the rest returns to the balances it came from. */
export function endEntries(reservation: Reservation, after: Account): Entry[] {
  const held = creditsOf(reservation)
  const returned = refundOf(reservation)
  return transaction(reservation.taskId, reservation.state === 'refunded' ? 'refund' : 'settle', after, {
    reserved: -held,
    revenue: held - reservation.refunded,
    customer_paid: returned.paid,
    customer_starter: returned.starter,
  })
}

function transaction(sourceId: string, kind: EntryKind, after: Account, amounts: Partial<Record<Book, number>>): Entry[] {
  const { id: accountId, balanceVersion, postedAtMs: atMs } = after
  const entries: Entry[] = []
  for (const book of Object.keys(amounts) as Book[]) {
    const credits = amounts[book]
    if (credits) entries.push({ sourceId, kind, book, accountId, credits, balanceVersion, atMs })
  }
  return entries
}
