import { invariant } from '@filmgate/kit/failure'
import type { Draft } from '../batch/draft'
import type { ChangeCredits, ReportReuse } from '../batch/instruction'
import { changeEntries } from '../entry/entry'
import { type Account, type ChangeTerms, type CreditChange, postingAtMs } from './account'

/**
 * Follows a grant or a debit, once for its id, and tells what became of it. Asked for again, what became of it is told again; asked for
 * with other terms, nothing moves and the audit has a finding.
 */
export function changeCredits(draft: Draft, { change: asked, traceparent }: ChangeCredits): void {
  const account = draft.accounts.get(asked.accountId)
  invariant(account, `the account of ${asked.kind} ${asked.id} is open`)
  const known = draft.changes.get(asked.id)
  const tell = (change: CreditChange, refusal?: 'other_terms') =>
    draft.sent.push({ accountId: account.id, event: draft.events.changeDecided(change, account, refusal), traceparent })
  if (known && !sameTerms(known, asked)) {
    report(draft, asked.id, account.id, wordsOf(asked), wordsOf(known))
    tell({ ...asked, applied: false, after: null, decidedAtMs: draft.rules.nowMs }, 'other_terms')
  } else if (known) tell(known)
  else {
    const decidedAtMs = postingAtMs(account, draft.rules.nowMs)
    const after = balancesAfter(account, asked, decidedAtMs)
    const change = { ...asked, applied: after !== account, after, decidedAtMs }
    draft.changes.set(change.id, change)
    tell(change)
    if (!change.applied) return
    draft.accounts.set(account.id, after)
    draft.entries.push(...changeEntries(change, after))
    draft.untold.set(account.id, traceparent)
  }
}

/** Somebody asked under an id that stands for something else, and was refused before it came here. */
export const reportReuse = (draft: Draft, { changeId, accountId, asked, known }: ReportReuse): void =>
  report(draft, changeId, accountId, asked, known)

const report = (draft: Draft, changeId: string, accountId: string, asked: string, known: string): void =>
  void draft.contradictions.push({
    taskId: changeId,
    accountId,
    verdict: 'other_terms',
    state: undefined,
    detail: `asked for as ${asked}, known as ${known}`,
  })

/** The same account where the balance doesn't hold what a debit takes. */
function balancesAfter(account: Account, { kind, balance, credits }: ChangeTerms, postedAtMs: number): Account {
  const field = balance === 'paid' ? 'available' : 'starter'
  const changed = account[field] + (kind === 'grant' ? credits : -credits)
  return changed < 0 ? account : { ...account, [field]: changed, balanceVersion: account.balanceVersion + 1, postedAtMs }
}

/** Whoever asks again may be another operator. */
const sameTerms = (a: ChangeTerms, b: ChangeTerms): boolean =>
  a.kind === b.kind && a.accountId === b.accountId && a.balance === b.balance && a.credits === b.credits && a.reason === b.reason

const wordsOf = ({ kind, credits, balance, accountId, reason }: ChangeTerms): string =>
  `${kind} of ${credits} ${balance} credits of account ${accountId} (${reason})`
