import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type Periods, periodsAt } from '@filmgate/kit/calendar/period'
import { type ExceededBudget, BudgetPeriod as WirePeriod } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { BudgetScope as WireScope } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { BudgetRow } from '@filmgate/proto/operator/budget'
import { encode, topicName, topics } from '@filmgate/proto/topics'

export const budgetScopes = ['key', 'member', 'account'] as const
export type BudgetScope = (typeof budgetScopes)[number]
export const budgetPeriods = ['total', 'day', 'month'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

/** Whose spend is capped. Of an account, `subjectId` is its own id. */
export type Subject = { accountId: string; scope: BudgetScope; subjectId: string }
/** In credits; null where a period has none. */
export type Caps = Record<BudgetPeriod, number | null>

/** A budget with what the ledger last told of its spend. */
export type Budget = Subject & {
  caps: Caps
  version: number
  appliedVersion: number
  setBy: string
  setAt: Date
  totalSpent: number
  day: string | null
  daySpent: number
  month: string | null
  monthSpent: number
}

const wireScopes: Record<BudgetScope, WireScope> = { key: WireScope.KEY, member: WireScope.MEMBER, account: WireScope.ACCOUNT }

export const scopeOf = (wire: WireScope): BudgetScope | undefined => budgetScopes.find(scope => wireScopes[scope] === wire)
export const periodOf = (wire: WirePeriod): BudgetPeriod | undefined =>
  (({ [WirePeriod.UNSPECIFIED]: undefined, [WirePeriod.TOTAL]: 'total', [WirePeriod.DAY]: 'day', [WirePeriod.MONTH]: 'month' }) as const)[
    wire
  ]

type SetMessage = Subject & { caps: Caps; timeZone: string; version: number; at: Date }

/** The event that sets all caps of a subject; its version makes the newest hold. */
export function budgetMessage(topicPrefix: string, { accountId, scope, subjectId, caps, timeZone, version, at }: SetMessage) {
  const value = {
    ...{ accountId, scope: wireScopes[scope], subjectId, timeZone, version: BigInt(version), at: timestampFromDate(at) },
    ...(caps.total !== null && { totalMax: BigInt(caps.total) }),
    ...(caps.day !== null && { dayMax: BigInt(caps.day) }),
    ...(caps.month !== null && { monthMax: BigInt(caps.month) }),
  }
  const event = { case: 'budgetSet' as const, value }
  return { topic: topicName(topicPrefix, 'requests'), key: accountId, value: encode(topics.requests.schema, { event }) }
}

/** The details of a refusal: which budget, what it has left, and when it is whole again. */
export const exceededDetails = ({ scope, period, left, resetsAt }: ExceededBudget, required: bigint) => ({
  budget: scopeOf(scope) ?? 'account',
  period: periodOf(period) ?? 'total',
  required_credits: Number(required),
  left_credits: Number(left),
  resets_at: resetsAt ? timestampDate(resetsAt).toISOString() : null,
})

/** When the spend of each period begins anew; null: never. */
export const resetTimes = ({ dayEndsAtMs, monthEndsAtMs }: Periods): Record<BudgetPeriod, string | null> => ({
  ...{ total: null, day: new Date(dayEndsAtMs).toISOString(), month: new Date(monthEndsAtMs).toISOString() },
})

/** A budget as it is shown: of each cap what is spent and left, and when that begins anew. */
export function budgetView(budget: Budget, timeZone: string, now: Date): BudgetRow {
  const periods = periodsAt(now.getTime(), timeZone)
  const spent = {
    total: budget.totalSpent,
    day: budget.day === periods.day ? budget.daySpent : 0,
    month: budget.month === periods.month ? budget.monthSpent : 0,
  }
  const resetsAt = resetTimes(periods)
  return {
    ...{ budget: budget.scope, id: budget.subjectId },
    caps: budgetPeriods.flatMap(period => {
      const max = budget.caps[period]
      if (max === null) return []
      const left = Math.max(0, max - spent[period])
      return { period, max_credits: max, spent_credits: spent[period], left_credits: left, resets_at: resetsAt[period] }
    }),
    applied: budget.appliedVersion >= budget.version,
    ...{ set_by: budget.setBy, set_at: budget.setAt.toISOString() },
  }
}
