import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { Account, CreditChange } from './account'
import type { Budget, Crossed, Spend } from './budget'
import type { Entry } from './entry'
import type { Contradiction, Declined, Release, Reservation } from './reservation'

/** What the database holds of everything that a batch mentions, read under the locks of its accounts. */
export type Books = {
  accounts: ReadonlyMap<string, Account>
  /** Of the batch's tasks, and all that count of an account whose limit the batch may meet. */
  reservations: ReadonlyMap<string, Reservation>
  /** Grants and debits by their ids. */
  creditChanges: ReadonlyMap<string, CreditChange>
  declined: ReadonlyMap<string, Declined>
  /** By task, the CreditsReserved event as it was published; only of open reservations whose request is delivered again. */
  reservedEvents: ReadonlyMap<string, Uint8Array>
  /** By task, its kept request; only of reservations that an operator replays. */
  requests: ReadonlyMap<string, Uint8Array>
  /** Of accounts with budgets, those of the keys and members of the batch, by `subjectKey`. */
  budgets: ReadonlyMap<string, Budget>
  /** What those have spent in the periods that the batch may count in, by `spendKey`. */
  spend: ReadonlyMap<string, Spend>
}

export type Rules = {
  /** Tasks that count at once of an account that has no limit of its own. */
  unfinishedMax: number
  nowMs: number
}

/** An event of filmgate.credits.v1 still to be written as bytes. */
export type CreditsEvent = NonNullable<MessageInitShape<typeof CreditsEventSchema>['event']>

/** `bytes`: the event's, where they are made already. */
export type AccountEvent = { accountId: string; event: CreditsEvent; bytes?: Uint8Array; traceparent: string | undefined }

/** What one batch changes in the books, one instruction after the other. Rows are replaced, never changed in place. */
export type BookChanges = {
  readonly rules: Rules
  readonly accounts: Map<string, Account>
  readonly reservations: Map<string, Reservation>
  readonly creditChanges: Map<string, CreditChange>
  readonly declined: Map<string, Declined>
  readonly releases: Release[]
  readonly reservedEvents: Books['reservedEvents']
  readonly requests: Books['requests']
  readonly contradictions: Contradiction[]
  readonly entries: Entry[]
  /** To be published, in this order. */
  readonly events: AccountEvent[]
  /** Accounts whose new balance no event above states whole, each with the trace that changed it last. */
  readonly unpublishedBalances: Map<string, string | undefined>
  readonly budgets: Map<string, Budget>
  readonly spend: Map<string, Spend>
  /** Budgets whose caps or spend changed, by `subjectKey`, with the thresholds crossed and the trace that changed it last. */
  readonly unpublishedBudgets: Map<string, { crossed: Crossed[]; traceparent: string | undefined }>
  /** Tasks of which an event above says something: a second delivery in the same batch adds none. */
  readonly tasksWithEvents: Set<string>
  /** How many of the events above repeat what was decided before. */
  eventsReplayed: number
}

/** `decided_before`: the same was decided about the task before. Nothing changes; the decision is published again. */
export type Outcome = 'decided' | 'decided_before'

export const noChanges = (books: Books, rules: Rules): BookChanges => ({
  rules,
  accounts: new Map(books.accounts),
  reservations: new Map(books.reservations),
  creditChanges: new Map(books.creditChanges),
  declined: new Map(books.declined),
  releases: [],
  reservedEvents: books.reservedEvents,
  requests: books.requests,
  contradictions: [],
  entries: [],
  events: [],
  unpublishedBalances: new Map(),
  budgets: new Map(books.budgets),
  spend: new Map(books.spend),
  unpublishedBudgets: new Map(),
  tasksWithEvents: new Set(),
  eventsReplayed: 0,
})
