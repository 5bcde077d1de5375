/** What an operator asks for; the id is the caller's, and stands for these terms. */
export type ChangeTerms = {
  id: string
  kind: 'grant' | 'debit'
  accountId: string
  balance: 'paid' | 'starter'
  credits: number
  reason: string
}

export type NewChange = ChangeTerms & { operator: string; askedAt: Date }

/** A grant or a debit, and what the ledger made of it. */
export type CreditChange = NewChange & {
  state: 'pending' | 'applied' | 'declined'
  refusal: string | null
  /** The balances right after the decision. */
  available: number | null
  starter: number | null
  decidedAt: Date | null
}

/** The operator may differ: another one may repeat the command. */
export const sameTerms = (a: ChangeTerms, b: ChangeTerms): boolean =>
  a.kind === b.kind && a.accountId === b.accountId && a.balance === b.balance && a.credits === b.credits && a.reason === b.reason

export const wordsOf = ({ kind, credits, balance, accountId, reason }: ChangeTerms): string =>
  `${kind} of ${credits} ${balance} credits of account ${accountId} (${reason})`

export const changeView = (change: CreditChange) => ({
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
  asked_at: change.askedAt.toISOString(),
  decided_at: change.decidedAt?.toISOString() ?? null,
})
