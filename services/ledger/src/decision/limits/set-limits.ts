import type { BookChanges } from '../../books/book-changes'
import type { SetLimits } from '../../books/instruction'

/** Gives an account its own limit, or takes it back; one that a later one has overtaken changes nothing. No balance moves. */
export function setLimits({ accounts }: BookChanges, { accountId, unfinishedMax, version }: SetLimits): void {
  const account = accounts.get(accountId)
  if (account && version > account.limitsVersion) accounts.set(accountId, { ...account, unfinishedMax, limitsVersion: version })
}
