import { type Periods, periodsAt } from '@filmgate/kit/calendar/period'
import type { Account } from './account'

export const budgetScopes = ['key', 'member', 'account'] as const
export type BudgetScope = (typeof budgetScopes)[number]
export const budgetPeriods = ['total', 'day', 'month'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** Whose spend is counted: a key's, a member's or the whole account's, whose `subjectId` is its own id. */
export type Subject = { accountId: string; scope: BudgetScope; subjectId: string }

/** Caps in credits; null where a period has none. */
export type Caps = Record<BudgetPeriod, number | null>
/** `version`: that of the message that set it, which grows with every message of the account. */
export type Budget = Subject & { caps: Caps; version: number }

/** What a subject's reservations of a period came to, less what was returned. `period`: `total`, a day or a month (`periodsAt`). */
export type Spend = Subject & { period: string; spent: number }

/** The budget that has too little left for a request, and when it comes back; null for a total. */
export type ExceededBudget = { scope: BudgetScope; period: BudgetPeriod; left: number; resetsAtMs: number | null }

/** A cap whose threshold a reservation has crossed. */
export type Crossed = { period: BudgetPeriod; percent: number; cap: number; spent: number }

/** An id never has a NUL. */
export const subjectKey = ({ accountId, scope, subjectId }: Subject): string => [accountId, scope, subjectId].join('\0')
export const spendKey = (subject: Subject, period: string): string => `${subjectKey(subject)}\0${period}`

/** Where a task's credits are counted. `keyId`, `memberId`: of the API's tasks the key, of the console's the person. */
export type Spender = { accountId: string; keyId: string | null; memberId: string | null }

export function subjectsOf({ accountId, keyId, memberId }: Spender): Subject[] {
  const subjects: Subject[] = [{ accountId, scope: 'account', subjectId: accountId }]
  if (keyId !== null) subjects.push({ accountId, scope: 'key', subjectId: keyId })
  if (memberId !== null) subjects.push({ accountId, scope: 'member', subjectId: memberId })
  return subjects
}

export const periodLabels = ({ day, month }: Pick<Periods, 'day' | 'month'>): Record<BudgetPeriod, string> => ({
  total: 'total',
  day,
  month,
})

/** Of a reservation's day, all periods that it is counted in. */
export const labelsOfDay = (day: string): string[] => Object.values(periodLabels({ day, month: day.slice(0, 7) }))

/** The account's periods of now; undefined where it never had a budget and nothing is counted. */
export const accountPeriods = ({ timeZone }: Pick<Account, 'timeZone'>, nowMs: number): Periods | undefined =>
  timeZone === null ? undefined : periodsAt(nowMs, timeZone)
