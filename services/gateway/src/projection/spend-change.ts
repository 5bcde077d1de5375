import { periodOf, scopeOf } from '../budgets/budget'
import type { SpendChange } from '../budgets/budget-repository'
import type { Crossing } from '../budgets/crossing-repository'
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

/** The thresholds that the reservations behind the event have crossed. */
export function crossingsOf(event: PipelineEvent, at: Date): Crossing[] {
  if (event.case !== 'budgetSpent') return []
  const { accountId, subjectId, day, month, crossed } = event.value
  const scope = scopeOf(event.value.scope)
  const labels = { total: 'total', day, month }
  return crossed.flatMap(({ period: wire, percent, cap, spent }) => {
    const period = periodOf(wire)
    if (!scope || !period) return []
    return [{ accountId, scope, subjectId, period, label: labels[period], cap: Number(cap), percent, spent: Number(spent), at }]
  })
}

/** Of each cap and period the highest percent. */
export function highestCrossings(crossings: Crossing[]): Crossing[] {
  const highest = new Map<string, Crossing>()
  for (const crossing of crossings) {
    const key = `${crossing.accountId} ${crossing.scope} ${crossing.subjectId} ${crossing.label} ${crossing.cap}`
    if (crossing.percent > (highest.get(key)?.percent ?? 0)) highest.set(key, crossing)
  }
  return [...highest.values()]
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
