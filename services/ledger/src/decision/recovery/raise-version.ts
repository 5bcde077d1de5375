import { invariant } from '@filmgate/kit/failure'
import type { BookChanges } from '../../books/book-changes'
import { subjectKey } from '../../books/budget'
import type { RaiseVersion } from '../../books/instruction'

const microsecondsPerMs = 1_000

/**
 * Begins an epoch of the books for an account: its version jumps to the microseconds since 1970, and its balances and budgets are published.
 * A version grows by one a posting, so a later moment is above every version that lost books have published, also of a former epoch.
 */
export function raiseVersion(changes: BookChanges, { accountId, subjects, traceparent }: RaiseVersion): void {
  const account = changes.accounts.get(accountId)
  invariant(account, `account ${accountId} is open`)
  const balanceVersion = Math.max(account.balanceVersion + 1, changes.rules.nowMs * microsecondsPerMs)
  changes.accounts.set(accountId, { ...account, balanceVersion })
  changes.unpublishedBalances.set(accountId, traceparent)
  for (const subject of subjects) {
    const key = subjectKey(subject)
    changes.unpublishedBudgets.set(key, { crossed: [], ...changes.unpublishedBudgets.get(key), traceparent })
  }
}
