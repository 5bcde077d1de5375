import { type Html, html } from '@filmgate/kit/http/html'
import { credits, number } from './numbers'
import { table } from './table'

/** `day` as 2026-11-23. */
export type DayValue = { day: string; value: number }

const width = 600
const height = 120
const monthDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayLabel = (day: string): string => monthDay.format(new Date(`${day}T00:00:00Z`))

/** How a value is written, and the title of its column. */
export type Unit = { of(value: number): string; title: string }

/** A bar chart of values per day, also as a table. A day with more refunds than spending has no bar. */
export function dayChart(title: string, days: DayValue[], unit: Unit = { of: credits, title: 'Credits' }): Html {
  const top = niceMax(Math.max(0, ...days.map(({ value }) => value)))
  const step = width / Math.max(1, days.length)
  const bars = days.map(({ day, value }, index) => {
    const barHeight = (Math.max(0, value) / top) * height
    return html`<rect class="bar" x="${round(index * step + step * 0.12)}" y="${round(height - barHeight)}" width="${round(step * 0.76)}" height="${round(barHeight)}"><title>${dayLabel(day)}: ${unit.of(value)}</title></rect>`
  })
  const total = days.reduce((sum, { value }) => sum + value, 0)
  return html`<figure class="chart">
<div class="plot"><span class="top-value" aria-hidden="true">${number(top)}</span>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${title}: ${unit.of(total)} in ${days.length} days. The table below lists each day."><path class="lines" d="M0 0.5H${width}M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}"/>${bars}</svg></div>
<div class="axis" aria-hidden="true"><span>${dayLabel(days[0]?.day ?? '')}</span><span>${dayLabel(days.at(-1)?.day ?? '')}</span></div>
<details><summary>As a table</summary>
${table(
  title,
  [{ title: 'Day' }, { title: unit.title, number: true }],
  days.toReversed().map(({ day, value }) => [dayLabel(day), number(value)]),
)}</details>
</figure>`
}

const round = (value: number): number => Math.round(value * 100) / 100

/** The next value of 1, 2, 5, 10, 20, 50 … */
export function niceMax(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find(factor => factor * power >= value) ?? 10) * power
}
