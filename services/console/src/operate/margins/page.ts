import { html } from '@filmgate/kit/http/html'
import { number } from '../../layout/numbers'
import type { Operator } from '../door/operator-of'
import { operatePage } from '../layout/operate-page'
import { type Cell, table, tag } from '../layout/parts'
import { type Told, wordsOf } from '../services/services'
import type { MarginRow, Margins } from '../services/views'

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })
const usdOf = (microUsd: number | null): string => (microUsd === null ? 'not known' : usd.format(microUsd / 1_000_000))

/** As the dispatcher computes it, in its order: by model, resolution and provider. */
export const marginsPage = (operator: Operator, margins: Told<Margins>): string =>
  operatePage({
    operator,
    room: 'margins',
    title: 'Margins',
    content: margins.ok
      ? html`<p>A credit is worth ${usdOf(margins.value.credit_micro_usd)}. Each row shows the case that leaves the least of the price.</p>
${table(
  'Margins',
  [
    ...['Model', 'Resolution', 'Provider', 'Case'],
    ...['Price', 'Cost', 'Margin', 'Of the price'].map(name => ({ name, number: true as const })),
    'Cost from',
  ],
  margins.value.data.map(row => [
    ...[row.model, row.resolution, row.provider, caseOf(row)],
    ...[usdOf(row.price_micro_usd), usdOf(row.cost_micro_usd), usdOf(row.margin_micro_usd)],
    row.margin_percent === null ? 'not known' : `${number(row.margin_percent)} %`,
    basisOf(row),
  ]),
  'No model is served.',
)}`
      : html`<p class="notice wrong" role="alert">${wordsOf(margins)}</p>`,
  })

function caseOf({ mode, audio, seconds, images, video_seconds: videoSeconds }: MarginRow): string {
  const sound = audio === null ? '' : audio ? ' with audio' : ' without audio'
  const inputs = [images > 0 && `${images} images`, videoSeconds > 0 && `${videoSeconds} s of video`].filter(Boolean).join(', ')
  return `${mode}, ${seconds} s${sound}${inputs && `, ${inputs}`}`
}

/** Where the cost is from, or why it is not known, or why the price may be below it. */
function basisOf({ basis, source, as_of: day, reason, margin_micro_usd: left }: MarginRow): Cell {
  if (basis === 'nothing') return 'makes no real videos'
  if (basis === 'unnamed') return html`${tag('unknown')} its route names no cost`
  if (basis === 'unknown') return html`${tag('unknown')} ${reason ?? ''} (${day ?? ''})`
  const from = `${source ?? ''}, ${day ?? ''}`
  if (left === null || left >= 0) return from
  return reason === null ? html`${tag('refused')} below its cost: ${from}` : html`${from}. Below its cost by name: ${reason}`
}
