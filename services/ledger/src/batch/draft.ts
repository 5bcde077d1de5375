import type { Account, CreditChange } from '../account/account'
import type { Entry } from '../entry/entry'
import { type CreditsEvent, creditsEvents } from '../event/credits-event'
import type { Contradiction, Declined, Release, Reservation } from '../reservation/reservation'

/** What the database knew of everything a batch mentions, read under the locks of its accounts. */
export type Books = {
  accounts: ReadonlyMap<string, Account>
  reservations: ReadonlyMap<string, Reservation>
  /** Grants and debits by their ids. */
  changes: ReadonlyMap<string, CreditChange>
  declined: ReadonlyMap<string, Declined>
  /** By task, what told of reservations that may have to be told again; while they are open. */
  reservedEvents: ReadonlyMap<string, Uint8Array>
}

export type Rules = {
  /** Open reservations of one account. */
  unfinishedMax: number
  nowMs: number
}

/** `bytes`: the event's, where they are made already. */
export type AccountEvent = { accountId: string; event: CreditsEvent; bytes?: Uint8Array; traceparent: string | undefined }

/** The books as a batch changes them, one instruction after the other. Rows are replaced, never changed in place. */
export type Draft = {
  readonly rules: Rules
  readonly events: ReturnType<typeof creditsEvents>
  readonly accounts: Map<string, Account>
  readonly reservations: Map<string, Reservation>
  readonly changes: Map<string, CreditChange>
  readonly declined: Map<string, Declined>
  readonly releases: Release[]
  readonly reservedEvents: Books['reservedEvents']
  readonly contradictions: Contradiction[]
  readonly entries: Entry[]
  readonly sent: AccountEvent[]
  /** Accounts whose new balance no other event tells whole, with the trace that changed it last. */
  readonly untold: Map<string, string | undefined>
  /** Tasks of which this batch tells something: none is told twice of. */
  readonly toldTasks: Set<string>
  /** Events among `sent` that tell of nothing new. */
  toldAgain: number
}

export const openDraft = (books: Books, rules: Rules): Draft => ({
  rules,
  events: creditsEvents(rules.nowMs),
  accounts: new Map(books.accounts),
  reservations: new Map(books.reservations),
  changes: new Map(books.changes),
  declined: new Map(books.declined),
  releases: [],
  reservedEvents: books.reservedEvents,
  contradictions: [],
  entries: [],
  sent: [],
  untold: new Map(),
  toldTasks: new Set(),
  toldAgain: 0,
})
