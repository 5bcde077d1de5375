import type { ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { listedMicroUsd, type Priced, type RouteCost } from '../route-cost'
import type { ConfiguredRoute } from '../routing'
import { casesOf, priceMicroUsd } from './cases'

/**
 * What a provider leaves of a price: of all that it can be asked for in a mode, a resolution and with or without sound, the case that leaves the least of it.
 * Money in millionths of a US dollar.
 */
export type Margin = {
  model: string
  provider: string
  asked: Priced
  priceMicroUsd: number
  /** Null where nobody knows it. */
  costMicroUsd: number | null
  /** `nothing`: the provider makes no real videos. `unnamed`: its route neither names a cost nor says why nobody knows it. */
  basis: 'listed' | 'unknown' | 'nothing' | 'unnamed'
  /** Why nobody knows the cost. */
  reason: string | null
  cost: Pick<RouteCost, 'source' | 'as_of'> | null
  /** Why the price may be below the cost, as the price book says; null where it doesn't say so. */
  exception: string | null
}

/** Of every mode, resolution, sound and provider that the routes serve. */
export function marginsOf(card: ModelCard, routes: ConfiguredRoute[]): Margin[] {
  const worst = new Map<string, Margin>()
  for (const route of routes)
    for (const asked of casesOf(card, route)) {
      const margin = marginOf(card, route, asked)
      if (!margin) continue
      const key = [asked.mode, asked.resolution, asked.audio, route.provider].join(' ')
      const before = worst.get(key)
      if (!before || isWorse(margin, before)) worst.set(key, margin)
    }
  return [...worst.values()]
}

function marginOf(card: ModelCard, { provider, connector, cost }: ConfiguredRoute, asked: Priced): Margin | undefined {
  const price = priceMicroUsd(card, asked)
  if (price === null) return undefined
  const exception = card.pricing?.belowCost.find(
    ({ mode, resolution }) => (mode || asked.mode) === asked.mode && (resolution || asked.resolution) === asked.resolution,
  )
  return {
    ...{ model: card.model, provider, asked, priceMicroUsd: price, exception: exception?.reason ?? null },
    ...costIn(connector.capabilities.standsIn, cost, asked),
  }
}

function costIn(standsIn: boolean, cost: RouteCost | undefined, asked: Priced): Pick<Margin, 'costMicroUsd' | 'basis' | 'reason' | 'cost'> {
  const listed = cost ? listedMicroUsd(cost, asked) : null
  const source = cost ? { as_of: cost.as_of, ...(cost.source && { source: cost.source }) } : null
  if (listed !== null) return { costMicroUsd: listed, basis: 'listed', reason: null, cost: source }
  if (standsIn) return { costMicroUsd: 0, basis: 'nothing', reason: null, cost: null }
  if (cost?.unknown !== undefined) return { costMicroUsd: null, basis: 'unknown', reason: cost.unknown, cost: source }
  return { costMicroUsd: null, basis: 'unnamed', reason: null, cost: source }
}

export const marginMicroUsd = ({ priceMicroUsd, costMicroUsd }: Margin): number | null =>
  costMicroUsd === null ? null : priceMicroUsd - costMicroUsd

/** What is not known is worse than a loss only where a route doesn't say so: that is a fault of the file. */
function isWorse(one: Margin, other: Margin): boolean {
  if (one.basis === 'unnamed' || other.basis === 'unnamed') return other.basis !== 'unnamed'
  const [part, least] = [one, other].map(margin => (marginMicroUsd(margin) ?? Number.POSITIVE_INFINITY) / margin.priceMicroUsd)
  return (part ?? 0) < (least ?? 0)
}

/** Sold below its cost, without an exception. */
export const isBelowCost = (margin: Margin): boolean => (marginMicroUsd(margin) ?? 0) < 0 && margin.exception === null

/** As a sentence for the log and for whoever changes prices. */
export function belowCostSentence({ asked, provider, priceMicroUsd: price, costMicroUsd: cost }: Margin): string {
  const { mode, resolution, duration, audio, images, videoSeconds } = asked
  const sound = audio === undefined ? '' : audio ? ' with audio' : ' without audio'
  const inputs = [images > 0 && `${images} images`, videoSeconds > 0 && `${videoSeconds} s of video`].filter(Boolean).join(', ')
  return `${mode} ${resolution}${sound}: ${duration} s${inputs && ` of ${inputs}`} cost ${usd(cost ?? 0)} USD at ${provider} and are sold for ${usd(price)}`
}

const usd = (microUsd: number): string => String(microUsd / 1_000_000)
