import type { ChangeRow } from '@filmgate/proto/operator/account'

/** What an operator asks for; the id is the caller's, and stands for these terms. */
export type ChangeTerms = {
  id: string
  kind: 'grant' | 'debit'
  accountId: string
  balance: 'paid' | 'starter'
  credits: number
  reason: string
  /** A debit that takes what the paid balance has, and leaves the rest owed. */
  beyondBalance?: boolean
}

export type NewChange = ChangeTerms & { operator: string; askedAt: Date }

/** A grant or a debit, and what the ledger made of it. */
export type CreditChange = NewChange & {
  state: 'pending' | 'applied' | 'declined'
  refusal: string | null
  /** The balances right after the decision. */
  available: number | null
  starter: number | null
  /** How many of the credits moved no balance: those of a grant that repaid what was owed, those of a debit that are owed now. */
  owed: number | null
  decidedAt: Date | null
}

/** The operator may differ: another one may repeat the command. */
export const sameTerms = (a: ChangeTerms, b: ChangeTerms): boolean =>
  a.kind === b.kind &&
  a.accountId === b.accountId &&
  a.balance === b.balance &&
  a.credits === b.credits &&
  a.reason === b.reason &&
  (a.beyondBalance ?? false) === (b.beyondBalance ?? false)

export const wordsOf = ({ kind, credits, balance, accountId, reason, beyondBalance }: ChangeTerms): string =>
  `${kind} of ${credits} ${balance} credits ${beyondBalance ? 'beyond the balance ' : ''}of account ${accountId} (${reason})`

/** How many of the credits a change moved of its balance, and how many were owed or repaid instead; null until it is decided. */
export const movedView = ({ state, credits, owed }: CreditChange) => {
  if (state === 'pending') return { applied: null, owed: null }
  return { applied: state === 'applied' ? credits - (owed ?? 0) : 0, owed: state === 'applied' ? (owed ?? 0) : 0 }
}

export const changeView = (change: CreditChange): ChangeRow => ({
  id: change.id,
  account_id: change.accountId,
  kind: change.kind,
  balance: change.balance,
  credits: change.credits,
  reason: change.reason,
  operator: change.operator,
  state: change.state,
  refusal: change.refusal,
  available: change.available,
  starter: change.starter,
  owed: change.owed,
  asked_at: change.askedAt.toISOString(),
  decided_at: change.decidedAt?.toISOString() ?? null,
})
