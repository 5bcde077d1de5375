import { MediaKind, type Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { PriceItem, type PriceRow, PriceUnit } from '@filmgate/proto/gen/filmgate/v1/price_pb'
import { priceOf } from '@filmgate/proto/price/price-of'
import type { Measured } from './read-mp4'

export const shortfallKinds = ['duration', 'resolution', 'audio'] as const
export type Shortfall = (typeof shortfallKinds)[number]

/** What came, with what of the order it lacks. */
export type Delivery = Omit<Measured, 'codedWidth' | 'codedHeight'> & { shortfalls: Shortfall[] }

/** The parts of an order that its delivery is held against. */
export type OrderTerms = Pick<Order, 'durationSeconds' | 'resolution' | 'aspectRatio' | 'generateAudio' | 'inputs' | 'prices' | 'credits'>

/** Models make frames in blocks of up to eight, half a second at 16 frames a second; of a very short video never more than a quarter. */
const lengthToleranceSeconds = 0.5
const lengthToleranceShare = 0.25
/** A length that follows a motion video is that video's, rounded up to whole seconds. */
const followingToleranceSeconds = 1
/** Encoders round a length up to whole frames: no second is billed for less than this. */
const billedRoundingSeconds = 0.1
/** Models round sides to multiples of 8 to 32 pixels: 464 for 480, 704 for 720. */
const sideShareMin = 0.95
/** Of a class's shorter side: at a ratio of 21:9 models keep 87 % of it. */
const stripShareMin = 0.5

const namedSides: Record<string, number> = { hd: 720, fhd: 1080, '2k': 1440, '4k': 2160 }

/**
 * What of the order is missing in what came, beyond the tolerances, and the price of what came at the order's own rows: undefined where that is
 * the whole reservation. More than was ordered costs nothing more.
 */
export function priceDelivery(order: OrderTerms, measured: Measured): { shortfalls: Shortfall[]; dueCredits?: number } {
  const shortfalls = shortfallsOf(order, measured)
  if (shortfalls.length === 0 || isWholeOrNothing(order.prices)) return { shortfalls }
  const resolution = shortfalls.includes('resolution') ? classReached(order, measured) : order.resolution
  const seconds = shortfalls.includes('duration') ? secondsBilled(measured) : order.durationSeconds
  const price = priceOf(order.prices, {
    resolution,
    seconds: pricedLength(order.prices, resolution, seconds),
    audio: (order.generateAudio ?? false) && !shortfalls.includes('audio'),
    inputSeconds: inputVideoSeconds(order),
  })
  return price && price.credits < Number(order.credits) ? { shortfalls, dueCredits: price.credits } : { shortfalls }
}

function shortfallsOf(order: OrderTerms, measured: Measured): Shortfall[] {
  // A price for a whole generation comes with a length that the model chooses.
  const isShort = !isWholeOrNothing(order.prices) && measured.durationMs < (order.durationSeconds - lengthTolerance(order)) * 1_000
  const side = sideOf(order.resolution)
  const isSmall = side !== undefined && !reaches(side, order, measured)
  const isSilent = (order.generateAudio ?? false) && !measured.hasAudio
  const lacks = { duration: isShort, resolution: isSmall, audio: isSilent }
  return shortfallKinds.filter(kind => lacks[kind])
}

function lengthTolerance(order: OrderTerms): number {
  const tolerance = Math.min(lengthToleranceSeconds, order.durationSeconds * lengthToleranceShare)
  return followsMotionVideo(order) ? tolerance + followingToleranceSeconds : tolerance
}

/** The catalog has a price for reference videos unless the output's length is theirs. */
const followsMotionVideo = (order: OrderTerms): boolean =>
  inputVideoSeconds(order) === order.durationSeconds && !order.prices.some(({ item }) => item === PriceItem.INPUT_VIDEO)

const inputVideoSeconds = ({ inputs }: OrderTerms): number =>
  inputs.filter(({ kind }) => kind === MediaKind.VIDEO).reduce((sum, { declaredSeconds }) => sum + declaredSeconds, 0)

/** In the client's favour but for the second that has begun, as an order's own seconds are whole. */
const secondsBilled = ({ durationMs }: Measured): number => Math.max(1, Math.ceil(durationMs / 1_000 - billedRoundingSeconds))

const outputRows = (prices: readonly PriceRow[]): PriceRow[] => prices.filter(({ item }) => item === PriceItem.OUTPUT)

const isWholeOrNothing = (prices: readonly PriceRow[]): boolean =>
  outputRows(prices).every(({ unit, durationSeconds }) => unit === PriceUnit.GENERATION && durationSeconds === 0)

/** Where clips are priced by their lengths: the longest that was reached, or else the shortest. */
function pricedLength(prices: readonly PriceRow[], resolution: string, seconds: number): number {
  const lengths = outputRows(prices)
    .filter(row => row.durationSeconds > 0 && row.resolution === resolution)
    .map(row => row.durationSeconds)
  if (lengths.length === 0) return seconds
  const reached = lengths.filter(length => length <= seconds)
  return reached.length > 0 ? Math.max(...reached) : Math.min(...lengths)
}

/** The largest class of the model that the pictures reach, or else its smallest. */
function classReached(order: OrderTerms, measured: Measured): string {
  const classes = [...new Set(outputRows(order.prices).map(row => row.resolution))]
    .flatMap(name => {
      const side = sideOf(name)
      return side === undefined ? [] : [{ name, side }]
    })
    .sort((one, other) => one.side - other.side)
  return (classes.findLast(({ side }) => reaches(side, order, measured)) ?? classes[0])?.name ?? order.resolution
}

/** The shorter side in pixels of a class as the cards name it; undefined where its name says none, so that nothing can be held against it. */
function sideOf(resolution: string): number | undefined {
  const name = resolution.toLowerCase()
  return namedSides[name] ?? (/^\d{3,4}p$/.test(name) ? Number.parseInt(name, 10) : undefined)
}

/** As displayed and as coded: a pixel aspect ratio displays few pixels as many. */
function reaches(side: number, { aspectRatio }: OrderTerms, { width, height, codedWidth, codedHeight }: Measured): boolean {
  const isStrip = maybeStrip(aspectRatio)
  return areOfClass(side, isStrip, width, height) && areOfClass(side, isStrip, codedWidth, codedHeight)
}

/**
 * By the shorter side, or by as many pixels as the class has at 16:9, because some models keep the area where the ratio is another. Where the
 * ratio may be wider than 16:9, also by the longer side that the class has at 16:9: other models keep that.
 */
function areOfClass(side: number, isStrip: boolean, width: number, height: number): boolean {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  const least = side * sideShareMin
  const longerLeast = (least * 16) / 9
  if (shorter >= least) return true
  return shorter >= least * stripShareMin && (width * height >= least * longerLeast || (isStrip && longer >= longerLeast))
}

/** Whether a delivery may be wider than 16:9, or taller than 9:16. Terms kept by older versions have no ratio. */
function maybeStrip(aspectRatio: string): boolean {
  if (aspectRatio === 'adaptive') return true
  const [width, height] = aspectRatio.split(':').map(Number)
  return !!width && !!height && Math.max(width, height) / Math.min(width, height) > 16 / 9
}
