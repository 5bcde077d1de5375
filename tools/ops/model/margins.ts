import { writeCsv } from '@filmgate/kit/csv/write-csv'
import { type MarginRow, Margins } from '@filmgate/proto/operator/provider'
import { OpsFault } from '../fault'
import { type Call, callFor, type Json } from '../operator-api'
import { usdText } from '../print/money'

type Options = { model?: string; provider?: string; csv?: boolean; json?: boolean }

/** What `ops model margins` prints. `negative`: something is sold below its cost, and no name in the price book says so. */
export async function modelMargins(call: Call, { model, provider, csv, json }: Options): Promise<{ shown: Json; negative: boolean }> {
  if (csv && json) throw new OpsFault('Either --csv or --json.')
  const all = await callFor(call, Margins, 'dispatcher', 'GET', '/margins')
  const data = all.data.filter(row => (model ?? row.model) === row.model && (provider ?? row.provider) === row.provider)
  const shown = csv ? marginsCsv(data) : json ? { ...all, data } : marginsTable(data)
  return { shown: shown as Json, negative: data.some(({ margin_micro_usd: left, reason }) => (left ?? 0) < 0 && reason === null) }
}

const columns = [
  ...['model', 'resolution', 'provider', 'mode', 'audio', 'seconds', 'images', 'video_seconds', 'price_usd', 'cost_usd', 'margin_usd'],
  ...['margin_percent', 'basis', 'source', 'as_of', 'cases', 'cases_unknown', 'reason'],
] as const

const money = (microUsd: number | null) => (microUsd === null ? 'unknown' : usdText(microUsd))

const marginsCsv = (rows: MarginRow[]): string =>
  writeCsv(
    columns,
    rows.map(({ price_micro_usd: price, cost_micro_usd: cost, margin_micro_usd: left, audio, ...row }) => ({
      ...{ ...row, audio: audio === null ? null : String(audio) },
      ...{ price_usd: money(price), cost_usd: money(cost), margin_usd: money(left), margin_percent: row.margin_percent ?? 'unknown' },
    })),
  )

/** For a person. No cell is blank: what nobody knows is called so. */
export function marginsTable(rows: MarginRow[]) {
  return rows.map(row => ({
    ...{ model: row.model, resolution: row.resolution, provider: row.provider, least_at: leastAt(row) },
    ...{ price_usd: money(row.price_micro_usd), cost_usd: money(row.cost_micro_usd), margin_usd: money(row.margin_micro_usd) },
    margin_percent: row.margin_percent ?? 'unknown',
    basis: (row.margin_micro_usd ?? 0) < 0 && row.reason !== null ? 'below by name' : row.basis,
    unknown_cases: `${row.cases_unknown} of ${row.cases}`,
  }))
}

/** The case that leaves the least. */
function leastAt({ mode, audio, seconds, images, video_seconds: videoSeconds }: MarginRow): string {
  const sound = audio === null ? '' : audio ? ' with audio' : ' silent'
  const inputs = [images > 0 && `${images} images`, videoSeconds > 0 && `${videoSeconds} s of video`].filter(Boolean).join(', ')
  return `${mode} ${seconds} s${sound}${inputs && `, ${inputs}`}`
}
