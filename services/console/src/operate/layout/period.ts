import { type Html, html } from '@filmgate/kit/http/html'
import { fieldValue, toTimestamp, utcField } from './utc-field'

/** From `from` to before `to`, RFC 3339 where the query had moments. */
export type Period = { from: string; to: string }
/** `hours`: of the period that was chosen from the list; undefined for one of one's own. */
export type ChosenPeriod = Period & { hours: number | undefined }
/** In hours up to the present. The first one is the default. */
export type PeriodChoices = readonly [number, ...number[]]

const hourMs = 3_600_000

export function readPeriod(url: string, [standard, ...others]: PeriodChoices, now = Date.now()): ChosenPeriod {
  const { searchParams } = new URL(url)
  const [from, to] = ['from', 'to'].map(name => toTimestamp((searchParams.get(name) ?? '').trim()))
  if (from || to) return { from: from ?? '', to: to || new Date(now).toISOString(), hours: undefined }
  const asked = Number(searchParams.get('hours'))
  const hours = others.includes(asked) ? asked : standard
  return { from: new Date(now - hours * hourMs).toISOString(), to: new Date(now).toISOString(), hours }
}

/** `kept`: what else the page's address says. */
export const periodForm = (
  path: string,
  choices: PeriodChoices,
  { from, to, hours }: ChosenPeriod,
  kept: Record<string, string> = {},
): Html => html`<nav class="filter" aria-label="Period"><ul>
${choices
  .toSorted((a, b) => a - b)
  .map(
    each =>
      html`<li><a href="${path}?${String(new URLSearchParams({ ...kept, hours: String(each) }))}"${each === hours && html` aria-current="true"`}>${nameOf(each)}</a></li>`,
  )}
</ul></nav>
<form class="filter" method="get" action="${path}">
${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${utcField('from', 'From', fieldValue(from))}
${utcField('to', 'Before', fieldValue(to))}
<div><button class="second">Show</button></div>
</form>`

const nameOf = (hours: number): string => (hours === 1 ? 'Last hour' : hours <= 24 ? `Last ${hours} hours` : `Last ${hours / 24} days`)
