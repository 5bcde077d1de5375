import type { DayValue } from '../layout/chart'

/** Credits of a calendar month in UTC: so far, and by its end at the pace of the last seven days. */
export type MonthForecast = { month: string; soFar: number; byEnd: number }

const dayMs = 86_400_000
const paceDays = 7
/** The longest month: the days that a forecast needs. */
export const forecastDays = 31

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })

/** `days`: each day's credits up to today, at least `forecastDays`. Today counts for what it has so far, and is no part of the pace. */
export function forecastMonth(days: DayValue[], now: Date): MonthForecast {
  const month = now.toISOString().slice(0, 7)
  const sum = (some: DayValue[]) => some.reduce((total, { value }) => total + value, 0)
  const soFar = sum(days.filter(({ day }) => day.startsWith(month)))
  const pace = sum(days.slice(-1 - paceDays, -1)) / paceDays
  const daysLeft = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / dayMs
  return { month: monthName.format(now), soFar, byEnd: Math.round(soFar + Math.max(0, pace) * daysLeft) }
}
