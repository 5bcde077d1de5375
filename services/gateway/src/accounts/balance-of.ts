import type { LineEvent } from '../tasks/change-of'
import type { BalanceChange } from './account-repository'

/** What an event says of an account's balance. */
export function balanceOf(event: LineEvent): BalanceChange | undefined {
  switch (event.case) {
    case 'balanceChanged': {
      const { accountId, available, starter, balanceVersion } = event.value
      return { accountId, available: Number(available), starter: Number(starter), version: Number(balanceVersion) }
    }
    case 'creditsReserved': {
      const { order, available, balanceVersion } = event.value
      return order && { accountId: order.accountId, available: Number(available), starter: null, version: Number(balanceVersion) }
    }
    case 'creditsRefunded': {
      const { accountId, available, balanceVersion } = event.value
      return { accountId, available: Number(available), starter: null, version: Number(balanceVersion) }
    }
    default:
      return undefined
  }
}

/** The newest change of each account, in account order, so that two replicas lock alike. */
export function newestBalances(changes: BalanceChange[]): BalanceChange[] {
  const newest = new Map<string, BalanceChange>()
  for (const change of changes) {
    const known = newest.get(change.accountId)
    if (!known || change.version > known.version)
      newest.set(change.accountId, { ...change, starter: change.starter ?? known?.starter ?? null })
  }
  return [...newest.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1))
}
