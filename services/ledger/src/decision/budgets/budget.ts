import { invariant } from '@filmgate/kit/failure'
import type { Account } from '../../books/account'
import type { BookChanges } from '../../books/book-changes'
import {
  accountPeriods,
  budgetPeriods,
  type Crossed,
  type ExceededBudget,
  labelsOfDay,
  periodLabels,
  type Spender,
  type Subject,
  spendKey,
  subjectKey,
  subjectsOf,
} from '../../books/budget'
import type { SetBudget } from '../../books/instruction'
import type { Reservation } from '../../books/reservation'
import { budgetSpent } from '../credits-event'

/** Sets caps and the account's time zone. A message that is older than what holds changes nothing; what holds is published again. */
export function setBudget(changes: BookChanges, { budget, timeZone, traceparent }: SetBudget): void {
  const account = changes.accounts.get(budget.accountId)
  invariant(account, `the account of a budget of ${budget.accountId} is open`)
  if (budget.version > account.budgetVersion) changes.accounts.set(account.id, { ...account, timeZone, budgetVersion: budget.version })
  const key = subjectKey(budget)
  if (budget.version > (changes.budgets.get(key)?.version ?? 0)) changes.budgets.set(key, budget)
  changes.unpublishedBudgets.set(key, { crossed: [], ...changes.unpublishedBudgets.get(key), traceparent })
}

/** The budget that has less left than the request asks for; of several, the one that comes back last. */
export function exceededBudget(changes: BookChanges, account: Account, spender: Spender, credits: number): ExceededBudget | undefined {
  const { nowMs } = changes.rules
  const periods = accountPeriods(account, nowMs)
  if (!periods) return undefined
  const resetsAtMs = { total: null, day: periods.dayEndsAtMs, month: periods.monthEndsAtMs }
  const labels = periodLabels(periods)
  const exceeded: ExceededBudget[] = []
  for (const subject of subjectsOf(spender)) {
    const caps = changes.budgets.get(subjectKey(subject))?.caps
    for (const period of budgetPeriods) {
      const cap = caps?.[period] ?? null
      if (cap === null) continue
      const left = Math.max(0, cap - spentOf(changes, subject, labels[period]))
      if (left < credits) exceeded.push({ scope: subject.scope, period, left, resetsAtMs: resetsAtMs[period] })
    }
  }
  const back = (one: ExceededBudget) => one.resetsAtMs ?? Number.MAX_SAFE_INTEGER
  return exceeded.sort((one, other) => back(other) - back(one) || one.left - other.left)[0]
}

/** Of a cap, in percent: BudgetSpent names those that a reservation crosses. */
const thresholds = [80, 100]

/** Counts a reservation just made in the periods of now; returns the day, null where the account's spend is not counted. */
export function countSpend(
  changes: BookChanges,
  account: Account,
  spender: Spender,
  credits: number,
  traceparent: string | undefined,
): string | null {
  const periods = accountPeriods(account, changes.rules.nowMs)
  if (!periods) return null
  const labels = periodLabels(periods)
  for (const subject of subjectsOf(spender)) {
    const caps = changes.budgets.get(subjectKey(subject))?.caps
    const crossed: Crossed[] = []
    for (const period of budgetPeriods) {
      const spent = addSpend(changes, subject, labels[period], credits)
      const cap = caps?.[period] ?? 0
      const crosses = (percent: number) => (spent - credits) * 100 < cap * percent && spent * 100 >= cap * percent
      for (const percent of thresholds) if (crosses(percent)) crossed.push({ period, percent, cap, spent })
    }
    publishLater(changes, subject, crossed, traceparent)
  }
  return periods.day
}

/** Takes what a reservation returned out of the periods that it was counted in, whatever the time is by now. */
export function returnSpend(changes: BookChanges, reservation: Reservation, traceparent: string | undefined): void {
  const { spendDay, refunded } = reservation
  if (spendDay === null || refunded === 0) return
  for (const subject of subjectsOf(reservation)) {
    for (const label of labelsOfDay(spendDay)) addSpend(changes, subject, label, -refunded)
    publishLater(changes, subject, [], traceparent)
  }
}

/** What budgets have spent after the batch, one event each. */
export function publishBudgets(changes: BookChanges): void {
  for (const [key, { crossed, traceparent }] of changes.unpublishedBudgets) {
    const budget = changes.budgets.get(key)
    const account = budget && changes.accounts.get(budget.accountId)
    const periods = account && accountPeriods(account, changes.rules.nowMs)
    if (!budget || !account || !periods) continue
    const { total, day, month } = periodLabels(periods)
    const spent = {
      total: spentOf(changes, budget, total),
      day: { label: day, spent: spentOf(changes, budget, day) },
      month: { label: month, spent: spentOf(changes, budget, month) },
    }
    changes.events.push({ accountId: account.id, event: budgetSpent(budget, account, spent, crossed, changes.rules.nowMs), traceparent })
  }
}

const spentOf = (changes: BookChanges, subject: Subject, label: string): number => changes.spend.get(spendKey(subject, label))?.spent ?? 0

function addSpend(changes: BookChanges, { accountId, scope, subjectId }: Subject, period: string, credits: number): number {
  const key = spendKey({ accountId, scope, subjectId }, period)
  const spent = (changes.spend.get(key)?.spent ?? 0) + credits
  changes.spend.set(key, { accountId, scope, subjectId, period, spent })
  return spent
}

function publishLater(changes: BookChanges, subject: Subject, crossed: Crossed[], traceparent: string | undefined): void {
  const key = subjectKey(subject)
  if (!changes.budgets.has(key)) return
  const before = changes.unpublishedBudgets.get(key)?.crossed ?? []
  changes.unpublishedBudgets.set(key, { crossed: [...before, ...crossed], traceparent })
}
