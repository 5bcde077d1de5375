import type { BalanceChange } from '../balances/balance-repository'
import type { PipelineEvent } from './pipeline-event'

/** The change of an account's balances, where the event has one. */
export function balanceOf(event: PipelineEvent): BalanceChange | undefined {
  switch (event.case) {
    case 'balanceChanged': {
      const { accountId, available, starter, owed, balanceVersion } = event.value
      const version = Number(balanceVersion)
      return { accountId, available: Number(available), version, starter: Number(starter), owed: Number(owed), starterVersion: version }
    }
    case 'creditsReserved': {
      const { order, available, balanceVersion } = event.value
      return order && paidBalance(order.accountId, available, balanceVersion)
    }
    case 'taskRecorded': {
      const { request, available, balanceVersion } = event.value
      return request?.order && paidBalance(request.order.accountId, available, balanceVersion)
    }
    case 'creditsRefunded': {
      const { accountId, available, balanceVersion } = event.value
      return paidBalance(accountId, available, balanceVersion)
    }
    case 'creditsSettled': {
      const { accountId, available, balanceVersion, refunded } = event.value
      return refunded > 0n ? paidBalance(accountId, available, balanceVersion) : undefined
    }
    default:
      return undefined
  }
}

const paidBalance = (accountId: string, available: bigint, version: bigint): BalanceChange => ({
  accountId,
  available: Number(available),
  version: Number(version),
  starter: null,
  owed: null,
  starterVersion: null,
})

/** The newest of either balance of each account, in account order, so that two replicas lock alike. */
export function newestBalances(changes: BalanceChange[]): BalanceChange[] {
  const newest = new Map<string, BalanceChange>()
  for (const change of changes) {
    const known = newest.get(change.accountId) ?? change
    const { available, version } = change.version > known.version ? change : known
    const { starter, owed, starterVersion } = (change.starterVersion ?? -1) > (known.starterVersion ?? -1) ? change : known
    newest.set(change.accountId, { accountId: change.accountId, available, version, starter, owed, starterVersion })
  }
  return [...newest.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1))
}
