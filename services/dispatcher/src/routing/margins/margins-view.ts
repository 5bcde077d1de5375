import { type Margin, marginMicroUsd } from './margins'

/** A model at a resolution and a provider; `mode` to `video_seconds` say what leaves the least. Money in whole millionths of a US dollar. */
export type MarginRow = {
  model: string
  resolution: string
  provider: string
  mode: string
  audio: boolean | null
  seconds: number
  images: number
  video_seconds: number
  price_micro_usd: number
  /** Null exactly where `basis` is `unknown` or `unnamed`, as the margins are. */
  cost_micro_usd: number | null
  margin_micro_usd: number | null
  /** Of the price, to a tenth. */
  margin_percent: number | null
  basis: Margin['basis']
  /** Why the cost is not known, or why it may be above the price. */
  reason: string | null
  source: string | null
  as_of: string | null
  /** Modes with a sound, of this resolution at this provider; and those of them whose cost is not known. */
  cases: number
  cases_unknown: number
}

/** The one table of margins: what `ops model margins`, the operators' page and `bun run verify` show. */
export function marginRows(margins: Margin[]): MarginRow[] {
  const groups = Map.groupBy(margins, ({ model, asked, provider }) => [model, asked.resolution, provider].join(' '))
  return [...groups.values()].map(group => {
    const known = group.filter(({ costMicroUsd }) => costMicroUsd !== null)
    const worst = (known.length > 0 ? known : group).reduce((least, one) => (percentOf(one) < percentOf(least) ? one : least))
    return rowOf(worst, group.length, group.length - known.length)
  })
}

const percentOf = (margin: Margin): number => (marginMicroUsd(margin) ?? 0) / margin.priceMicroUsd

function rowOf(margin: Margin, cases: number, unknown: number): MarginRow {
  const { model, provider, asked, priceMicroUsd, costMicroUsd, basis, reason, exception, cost } = margin
  const left = marginMicroUsd(margin)
  return {
    ...{ model, resolution: asked.resolution, provider },
    ...{ mode: asked.mode, audio: asked.audio ?? null, seconds: asked.seconds, images: asked.images, video_seconds: asked.videoSeconds },
    ...{ price_micro_usd: priceMicroUsd, cost_micro_usd: costMicroUsd, margin_micro_usd: left },
    margin_percent: left === null || priceMicroUsd === 0 ? null : Math.round((left / priceMicroUsd) * 1_000) / 10,
    ...{
      basis,
      reason: reason ?? (left !== null && left < 0 ? exception : null),
      source: cost?.source ?? null,
      as_of: cost?.as_of ?? null,
    },
    ...{ cases, cases_unknown: unknown },
  }
}
