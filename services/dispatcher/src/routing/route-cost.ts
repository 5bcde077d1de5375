import { MediaKind, type Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/**
 * A price of a provider's, for the orders that have all that it names; of several for the same thing the first counts. Money in millionths of a US dollar.
 */
export type Price = {
  micro_usd: number
  /**
   * `second` of the video, `generation`, or `million_tokens` of which `tokens_per_second` make a second of it: one of these prices the video.
   * `input_image` and `input_second` (of reference videos) come on top. `unit`: one that the provider tells of after the generation; in no list.
   */
  per: 'second' | 'generation' | 'million_tokens' | 'input_image' | 'input_second' | 'unit'
  tokens_per_second?: number
  /** How many input images cost nothing. */
  free?: number
  mode?: string
  resolution?: string
  /** Seconds. */
  duration?: number
  audio?: boolean
  /** Whether reference videos are given. */
  videos?: boolean
}

/** What a route costs us. `prices` are a provider's list; what it tells of a generation counts before them. */
export type RouteCost = {
  prices?: Price[]
  /** Of one unit, at a provider that tells how many of its units it charged, where `prices` name none. */
  unit_micro_usd?: number
  /** Why nobody knows what the prices leave out; without prices: anything. */
  unknown?: string
  /**
   * Where the prices were read: the provider's page of the model, its public list as somebody retyped it, or somebody else's note. For the reader, as
   * the day and the note are.
   */
  source?: 'page' | 'public-list' | 'second-hand'
  as_of: string
  note?: string
}

/** As it is kept with an attempt; null for what is not known. */
export type PlannedCost = { listedMicroUsd: number | null; unitMicroUsd: number | null }

/** What of an order its price depends on. `seconds`: of the video, or of the motion that it follows. */
export type Priced = {
  mode: string
  resolution: string
  duration: number
  seconds: number
  /** Undefined where the model has no such choice. */
  audio: boolean | undefined
  images: number
  videoSeconds: number
}

export function costOf(cost: RouteCost, order: Order): PlannedCost {
  const priced = pricedOf(order)
  const unit = cost.prices?.find(price => price.per === 'unit' && isFor(price, priced))
  return { listedMicroUsd: listedMicroUsd(cost, priced), unitMicroUsd: unit?.micro_usd ?? cost.unit_micro_usd ?? null }
}

/** Null where no price is for it. */
export function listedMicroUsd({ prices = [] }: RouteCost, priced: Priced): number | null {
  const priceOf = (...units: Price['per'][]) => prices.find(price => units.includes(price.per) && isFor(price, priced))
  const video = priceOf('second', 'generation', 'million_tokens')
  if (!video || (video.per !== 'generation' && priced.seconds <= 0)) return null
  const [image, input] = [priceOf('input_image'), priceOf('input_second')]
  const images = image ? Math.max(0, priced.images - (image.free ?? 0)) * image.micro_usd : 0
  return videoMicroUsd(video, priced.seconds) + images + (input ? input.micro_usd * priced.videoSeconds : 0)
}

function videoMicroUsd({ micro_usd: micro, per, tokens_per_second: tokens = 0 }: Price, seconds: number): number {
  if (per === 'generation') return micro
  return per === 'second' ? micro * seconds : Math.ceil((micro * tokens * seconds) / 1_000_000)
}

function pricedOf({ inputs, mode, resolution, durationSeconds, billedSeconds, generateAudio }: Order): Priced {
  return {
    ...{ mode, resolution, duration: durationSeconds, seconds: billedSeconds || durationSeconds, audio: generateAudio },
    images: inputs.filter(({ kind }) => kind === MediaKind.IMAGE).length,
    videoSeconds: inputs.reduce((sum, { kind, declaredSeconds }) => sum + (kind === MediaKind.VIDEO ? declaredSeconds : 0), 0),
  }
}

const isFor = ({ mode, resolution, duration, audio, videos }: Price, priced: Priced): boolean =>
  (mode ?? priced.mode) === priced.mode &&
  (resolution ?? priced.resolution) === priced.resolution &&
  (duration ?? priced.duration) === priced.duration &&
  (audio ?? priced.audio) === priced.audio &&
  (videos ?? priced.videoSeconds > 0) === priced.videoSeconds > 0

/** What is wrong with how a cost is written. */
export function costFaults({ prices, unit_micro_usd: unit, unknown, source }: RouteCost): string[] {
  if (prices === undefined && unit === undefined && unknown === undefined) return ['names neither a price nor `unknown`']
  const mismatched = (prices ?? []).filter(({ per, tokens_per_second: tokens }) => (per === 'million_tokens') !== (tokens !== undefined))
  return [
    ...(source === undefined && (prices !== undefined || unit !== undefined) ? ['names prices without their source'] : []),
    ...(mismatched.length > 0 ? ['tokens_per_second goes with million_tokens, and with nothing else'] : []),
  ]
}
