import { toTimestamp } from '../layout/utc-field'

/** From `from` to before `to`, RFC 3339 where the query had moments. */
export type Period = { from: string; to: string }

const hourMs = 3_600_000
/** Shown without a question. */
const hoursDefault = 24
export const periods: readonly [hours: number, name: string][] = [
  [1, 'Last hour'],
  [24, 'Last 24 hours'],
  [168, 'Last 7 days'],
]

/** Without `from` and `to`: the last `hours`, a day by default. */
export function readPeriod(url: string, now = Date.now()): Period & { hours: number | undefined } {
  const { searchParams } = new URL(url)
  const [from, to] = ['from', 'to'].map(name => toTimestamp((searchParams.get(name) ?? '').trim()))
  if (from || to) return { from: from ?? '', to: to || new Date(now).toISOString(), hours: undefined }
  const asked = Number(searchParams.get('hours'))
  const hours = periods.some(([each]) => each === asked) ? asked : hoursDefault
  return { from: new Date(now - hours * hourMs).toISOString(), to: new Date(now).toISOString(), hours }
}
