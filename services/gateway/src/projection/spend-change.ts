import { scopeOf } from '../budgets/budget'
import type { SpendChange } from '../budgets/budget-repository'
import type { PipelineEvent } from './pipeline-event'

/** What a budget has spent, where the event has it. */
export function spendOf(event: PipelineEvent): SpendChange | undefined {
  if (event.case !== 'budgetSpent') return undefined
  const { accountId, subjectId, version, balanceVersion, totalSpent, day, daySpent, month, monthSpent } = event.value
  const scope = scopeOf(event.value.scope)
  if (!scope) return undefined
  return {
    ...{ accountId, scope, subjectId, version: Number(version), balanceVersion: Number(balanceVersion) },
    ...{ totalSpent: Number(totalSpent), day, daySpent: Number(daySpent), month, monthSpent: Number(monthSpent) },
  }
}

/** The newest of each budget. */
export function newestSpend(changes: SpendChange[]): SpendChange[] {
  const newest = new Map<string, SpendChange>()
  for (const change of changes) {
    const key = `${change.accountId} ${change.scope} ${change.subjectId}`
    const known = newest.get(key)
    if (!known || isNewer(change, known)) newest.set(key, change)
  }
  return [...newest.values()]
}

const isNewer = (one: SpendChange, other: SpendChange): boolean =>
  one.balanceVersion > other.balanceVersion || (one.balanceVersion === other.balanceVersion && one.version > other.version)
