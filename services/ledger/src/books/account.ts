/** One account's balances and the number of its open reservations, read under its row lock. Credits are whole. */
export type Account = {
  id: string
  /** Paid credits that no reservation holds. */
  available: number
  /** Sign-up credits; they never fund the API. */
  starter: number
  /** What debits beyond the balance left: the next paid grants repay it before they become available. */
  owed: number
  /** Its open reservations, also those in review that no longer count towards the limit. */
  unfinished: number
  /** Tasks that may count at once; null: as many as the rules say. Set by the version of the account's limits. */
  unfinishedMax: number | null
  limitsVersion: number
  balanceVersion: number
  /** The moment of its last posting. */
  postedAtMs: number
  /** Of its budgets' days and months; null until it has its first budget. */
  timeZone: string | null
  /** Of the newest message that set a budget. */
  budgetVersion: number
}

/** The moment of a posting under the account's lock: never earlier than that of the posting before it, also where clocks differ. */
export const postingAtMs = ({ postedAtMs }: Account, nowMs: number): number => Math.max(postedAtMs, nowMs)

/** Tasks of the account that may count at once. */
export const unfinishedMaxOf = (account: Account | undefined, { unfinishedMax }: { unfinishedMax: number }): number =>
  account?.unfinishedMax ?? unfinishedMax

/** Credits to be given to an account or taken from it, once for the id that the caller chose. */
export type ChangeTerms = {
  id: string
  kind: 'grant' | 'debit'
  accountId: string
  balance: 'paid' | 'starter'
  credits: number
  reason: string
  /** A debit that takes what the paid balance has, and leaves the rest owed. */
  beyondBalance: boolean
}

/** A grant or a debit as it was decided. */
export type CreditChange = ChangeTerms & {
  /** Who asked; empty where it was not said. */
  operator: string
  /** False: a debit of more than the balance had. It moved nothing. */
  applied: boolean
  /** How many of the credits moved no balance: of a grant those that repaid what was owed, of a debit those that are owed since. */
  owed: number
  /** The balances right after; null for grants of before they were kept. */
  after: Pick<Account, 'available' | 'starter' | 'balanceVersion'> | null
  decidedAtMs: number
}
