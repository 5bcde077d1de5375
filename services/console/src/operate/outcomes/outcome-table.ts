import { type Html, html } from '@filmgate/kit/http/html'
import type { Outcome, Outcomes } from '@filmgate/proto/operator/provider'
import { number } from '../../layout/numbers'
import { table } from '../layout/parts'
import type { Period, PeriodChoices } from '../layout/period'
import { holdLine } from '../providers/hold-forms'

export const outcomePeriods: PeriodChoices = [24, 1, 168]

const seconds = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const secondsOf = (value: number | null): string => (value === null ? '–' : `${seconds.format(value)} s`)
const sum = (rows: readonly { attempts: number }[]): number => rows.reduce((total, { attempts }) => total + attempts, 0)

/** Of the attempts that have ended; undefined without one. */
export function shareCompleted(rows: readonly Outcome[]): { completed: number; ended: number; percent: string } | undefined {
  const completed = rows.reduce((total, row) => total + row.completed, 0)
  const ended = completed + sum(rows.flatMap(({ failures }) => failures))
  // Rounded down: 100 % is all of them.
  return ended === 0 ? undefined : { completed, ended, percent: `${Math.floor((completed / ended) * 1_000) / 10} %` }
}

/** What keeps new orders from providers, and a row for each model at a provider, most failures first. */
export const outcomeTable = ({ data, holds }: Outcomes, period: Period): Html => html`${holds.map(
  hold => html`<p class="notice wrong">New orders are held from <a href="/operate/providers">${hold.provider}</a>: ${holdLine(hold)}</p>`,
)}
${table(
  'Outcomes',
  [
    'Provider',
    'Model',
    ...['Attempts', 'Open', 'Completed', 'Median time', '95th percentile'].map(name => ({ name, number: true as const })),
    'Failures',
  ],
  data.toSorted((a, b) => sum(b.failures) - sum(a.failures) || b.attempts - a.attempts).map(row => cellsOf(row, period)),
  'No attempts in this period.',
)}
<p class="soft">Times are from the order to the stored video.</p>`

const cellsOf = (row: Outcome, period: Period) => [
  row.provider ?? 'none',
  row.model,
  attemptsLink(row, period, {}, number(row.attempts)),
  row.open > 0 ? attemptsLink(row, period, { state: 'open' }, number(row.open)) : '0',
  shareCompleted([row])?.percent ?? '–',
  secondsOf(row.seconds_p50),
  secondsOf(row.seconds_p95),
  html`<div class="wide-cell">${row.failures.map(
    ({ state, code, attempts }) =>
      html`<div>${attemptsLink(row, period, { state, ...(code !== null && { code }) }, `${number(attempts)} ${(code ?? state).replaceAll('_', ' ')}`)}</div>`,
  )}</div>`,
]

const attemptsLink = ({ provider, model }: Outcome, { from, to }: Period, more: Record<string, string>, text: string): Html =>
  html`<a href="/operate/attempts?${String(new URLSearchParams({ provider: provider ?? 'none', model, from, to, ...more }))}">${text}</a>`
