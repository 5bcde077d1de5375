import type { Actor, Gateway, UsageSumView } from '../gateway/gateway'
import type { DayValue } from '../layout/chart'

export type Range = { from: Date; to: Date }

const dayMs = 86_400_000
const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** The last UTC days including today; `to` is the following midnight. */
export function lastDays(count: number, now: Date): Range {
  const to = new Date(Date.parse(`${dayOf(now)}T00:00:00Z`) + dayMs)
  return { from: new Date(to.getTime() - count * dayMs), to }
}

/** An account's usage, one row per day and model. */
export async function readSums(
  gateway: Gateway,
  actor: Actor,
  { accountId, range, filters = {} }: { accountId: string; range: Range; filters?: Record<string, string> },
): Promise<UsageSumView[]> {
  const query = new URLSearchParams({ from: range.from.toISOString(), to: range.to.toISOString(), ...filters })
  return (await gateway.get<{ data: UsageSumView[] }>(actor, `/accounts/${accountId}/usage/summary?${query}`)).data
}

/** Net credits of each day of the range, including days without spending. */
export function creditsByDay(sums: UsageSumView[], range: Range): DayValue[] {
  const byDay = new Map<string, number>()
  for (const { day, credits_net } of sums) byDay.set(day, (byDay.get(day) ?? 0) + credits_net)
  return valuesByDay(range, day => byDay.get(day) ?? 0)
}

/** A value for each day of the range. */
export const valuesByDay = ({ from, to }: Range, ofDay: (day: string) => number): DayValue[] =>
  Array.from({ length: Math.round((to.getTime() - from.getTime()) / dayMs) }, (_, index) => {
    const day = dayOf(new Date(from.getTime() + index * dayMs))
    return { day, value: ofDay(day) }
  })
