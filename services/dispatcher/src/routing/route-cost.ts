import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/** A price of a maker's, for the orders that have all that it names; of several the first counts. Money in millionths of a US dollar. */
export type Price = {
  micro_usd: number
  /** Of the seconds that its client is charged for too. */
  per: 'second' | 'generation'
  resolution?: string
  /** Seconds. */
  duration?: number
  audio?: boolean
}

/** What a route costs us. `prices` are a maker's list; what it tells of a generation counts before them. */
export type RouteCost = {
  prices?: Price[]
  /** Of one unit, at a maker that tells how many of its units it charged. */
  unit_micro_usd?: number
  /** Where the prices were read: the maker's page of the model, or somebody else's note. For the reader, as the day is. */
  source: 'page' | 'second-hand'
  as_of: string
}

/** As it is kept with an attempt; null for what is not known. */
export type PlannedCost = { listedMicroUsd: number | null; unitMicroUsd: number | null }

export const costOf = ({ prices, unit_micro_usd: unit }: RouteCost, order: Order): PlannedCost => ({
  listedMicroUsd: listed(prices ?? [], order),
  unitMicroUsd: unit ?? null,
})

function listed(prices: Price[], order: Order): number | null {
  const price = prices.find(one => isFor(one, order))
  if (!price) return null
  if (price.per === 'generation') return price.micro_usd
  // The length of the video, or of the motion that it follows.
  const seconds = order.billedSeconds || order.durationSeconds
  return seconds > 0 ? price.micro_usd * seconds : null
}

const isFor = ({ resolution, duration, audio }: Price, order: Order): boolean =>
  (resolution ?? order.resolution) === order.resolution &&
  (duration ?? order.durationSeconds) === order.durationSeconds &&
  (audio ?? order.generateAudio) === order.generateAudio
