import { invariant } from '@filmgate/kit/failure'
import { type Account, type ChangeTerms, type CreditChange, postingAtMs } from '../books/account'
import type { BookChanges } from '../books/book-changes'
import { changeEntries } from '../books/entry'
import type { ChangeCredits, ReportReuse } from '../books/instruction'
import { creditsChangeDecided } from './credits-event'

/**
 * Decides a grant or a debit, once for its id, and publishes the decision. Asked for again, the decision is published again; asked for with other
 * terms, nothing moves and the audit has a finding.
 */
export function changeCredits(changes: BookChanges, { change: asked, traceparent }: ChangeCredits): void {
  const account = changes.accounts.get(asked.accountId)
  invariant(account, `the account of ${asked.kind} ${asked.id} is open`)
  const known = changes.creditChanges.get(asked.id)
  const publish = (change: CreditChange, refusal?: 'other_terms') =>
    changes.events.push({ accountId: account.id, event: creditsChangeDecided(change, account, refusal), traceparent })
  if (known && !sameTerms(known, asked)) {
    report(changes, asked.id, account.id, wordsOf(asked), wordsOf(known))
    publish({ ...asked, applied: false, after: null, decidedAtMs: changes.rules.nowMs }, 'other_terms')
  } else if (known) publish(known)
  else {
    const decidedAtMs = postingAtMs(account, changes.rules.nowMs)
    const after = balancesAfter(account, asked, decidedAtMs)
    const change = { ...asked, applied: after !== account, after, decidedAtMs }
    changes.creditChanges.set(change.id, change)
    publish(change)
    if (!change.applied) return
    changes.accounts.set(account.id, after)
    changes.entries.push(...changeEntries(change, after))
    changes.unpublishedBalances.set(account.id, traceparent)
  }
}

/** Reports an id that was asked for with other terms and refused by the gateway already. */
export const reportReuse = (changes: BookChanges, { changeId, accountId, asked, known }: ReportReuse): void =>
  report(changes, changeId, accountId, asked, known)

const report = (changes: BookChanges, changeId: string, accountId: string, asked: string, known: string): void =>
  void changes.contradictions.push({
    taskId: changeId,
    accountId,
    verdict: 'other_terms',
    state: undefined,
    detail: `asked for as ${asked}, known as ${known}`,
  })

/** The account itself where its balance is less than a debit takes. */
function balancesAfter(account: Account, { kind, balance, credits }: ChangeTerms, postedAtMs: number): Account {
  const field = balance === 'paid' ? 'available' : 'starter'
  const changed = account[field] + (kind === 'grant' ? credits : -credits)
  return changed < 0 ? account : { ...account, [field]: changed, balanceVersion: account.balanceVersion + 1, postedAtMs }
}

/** The operator is no term: another one may ask again. */
const sameTerms = (a: ChangeTerms, b: ChangeTerms): boolean =>
  a.kind === b.kind && a.accountId === b.accountId && a.balance === b.balance && a.credits === b.credits && a.reason === b.reason

const wordsOf = ({ kind, credits, balance, accountId, reason }: ChangeTerms): string =>
  `${kind} of ${credits} ${balance} credits of account ${accountId} (${reason})`
