import { html } from '@filmgate/kit/http/html'
import type { MarginRow, Margins } from '@filmgate/proto/operator/provider'
import { number } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { type Cell, table, tag } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })
const usdOf = (microUsd: number | null): string => (microUsd === null ? 'not known' : usd.format(microUsd / 1_000_000))

/** In the dispatcher's order: by model, resolution and provider. */
export const marginsPage = (operator: Operator, margins: ServiceResult<Margins>): string =>
  operatePage({
    operator,
    section: 'margins',
    title: 'Margins',
    content: margins.ok
      ? html`<p>A credit is worth ${usdOf(margins.value.credit_micro_usd)}. Each row shows the case with the lowest margin.</p>
${table(
  'Margins',
  [
    ...['Model', 'Resolution', 'Provider', 'Case'],
    ...['Price', 'Cost', 'Margin', 'Share of price'].map(name => ({ name, number: true as const })),
    'Source of cost',
  ],
  margins.value.data.map(row => [
    ...[row.model, row.resolution, row.provider, caseOf(row)],
    ...[usdOf(row.price_micro_usd), usdOf(row.cost_micro_usd), usdOf(row.margin_micro_usd)],
    row.margin_percent === null ? 'not known' : `${number(row.margin_percent)} %`,
    basisOf(row),
  ]),
  'No models.',
)}`
      : html`<p class="notice wrong" role="alert">${errorMessage(margins)}</p>`,
  })

function caseOf({ mode, audio, seconds, images, video_seconds: videoSeconds }: MarginRow): string {
  const sound = audio === null ? '' : audio ? ' with audio' : ' without audio'
  const inputs = [images > 0 && `${images} images`, videoSeconds > 0 && `${videoSeconds} s of video`].filter(Boolean).join(', ')
  return `${mode}, ${seconds} s${sound}${inputs && `, ${inputs}`}`
}

/** The source of the cost, or why it is unknown, or why the price may be below it. */
function basisOf({ basis, source, as_of: day, reason, margin_micro_usd: left }: MarginRow): Cell {
  if (basis === 'nothing') return 'makes no real videos'
  if (basis === 'unnamed') return html`${tag('unknown')} its route has no cost`
  if (basis === 'unknown') return html`${tag('unknown')} ${reason ?? ''} (${day ?? ''})`
  const from = `${source ?? ''}, ${day ?? ''}`
  if (left === null || left >= 0) return from
  return reason === null ? html`${tag('refused')} below its cost: ${from}` : html`${from}. Below its cost by name: ${reason}`
}
