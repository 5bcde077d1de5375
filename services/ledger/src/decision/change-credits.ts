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
    publish({ ...asked, applied: false, owed: 0, after: null, decidedAtMs: changes.rules.nowMs }, 'other_terms')
  } else if (known) publish(known)
  else {
    const decidedAtMs = postingAtMs(account, changes.rules.nowMs)
    const { after, owed } = balancesAfter(account, asked, decidedAtMs)
    const change = { ...asked, applied: after !== account, owed, after, decidedAtMs }
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

/** The account itself where its balance is less than a debit takes. `owed`: how many of the credits move what is owed and not the balance. */
function balancesAfter(account: Account, change: ChangeTerms, postedAtMs: number): { after: Account; owed: number } {
  const { kind, balance, credits } = change
  const field = balance === 'paid' ? 'available' : 'starter'
  const owed = owedOf(account, change)
  const sign = kind === 'grant' ? 1 : -1
  const changed = account[field] + sign * (credits - owed)
  if (changed < 0) return { after: account, owed: 0 }
  const moved = { [field]: changed, owed: account.owed - sign * owed }
  return { after: { ...account, ...moved, balanceVersion: account.balanceVersion + 1, postedAtMs }, owed }
}

/** A paid grant repays what is owed first. A debit beyond the balance leaves owed what the balance doesn't have. */
function owedOf(account: Account, { kind, balance, credits, beyondBalance }: ChangeTerms): number {
  if (balance !== 'paid') return 0
  if (kind === 'grant') return Math.min(credits, account.owed)
  return beyondBalance ? Math.max(0, credits - account.available) : 0
}

/** The operator is no term: another one may ask again. */
const sameTerms = (a: ChangeTerms, b: ChangeTerms): boolean =>
  a.kind === b.kind &&
  a.accountId === b.accountId &&
  a.balance === b.balance &&
  a.credits === b.credits &&
  a.reason === b.reason &&
  a.beyondBalance === b.beyondBalance

const wordsOf = ({ kind, credits, balance, accountId, reason, beyondBalance }: ChangeTerms): string =>
  `${kind} of ${credits} ${balance} credits ${beyondBalance ? 'beyond the balance ' : ''}of account ${accountId} (${reason})`
