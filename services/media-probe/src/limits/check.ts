import type { KindLimits } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { reject } from '../errors'
import type { Advice, Format } from './formats'

/** The largest size of any card, and the default for cards without a limit. */
export const fileBytesMax = 52_428_800
/** Phones record "60" frames/s as 60.0–60.3. */
const fastTolerance = 0.005
/** Below 23.976, rejected rates are closer. */
const slowTolerance = 0.002
/** Allows for rounding only: 15.01 s is over 15 s. */
export const secondsTolerance = 0.001
/** One tick of QuickTime's default time scale. */
const tickSecondsMax = 1 / 600
/** Seconds. */
const declaredToleranceMax = 0.1
const ratioTolerance = 0.0005
/** Pixels of all frames: 30 s of 4K at 60 frames/s. Bounds the decoder's work. */
export const decodedPixelsMax = 20_000_000_000
/** Cameras and editors write about ten. Opening 900 took 21 s of processor. */
export const tracksMax = 64
/** Every card takes it, and every program exports it. */
const usualFrameRate = 30

export const bytesMaxOf = ({ bytesMax }: KindLimits): number => Number(bytesMax) || fileBytesMax

export type Size = { width: number; height: number; ratio: number }

type FoundType = { format: Format | undefined; name: string; advice: Advice }

export function checkFormat(found: FoundType, allowed: readonly string[]): asserts found is FoundType & { format: Format } {
  if (found.format && allowed.includes(found.format)) return
  const [, advice] = Object.entries(found.advice).find(([format]) => format === 'any' || allowed.includes(format)) ?? []
  throw reject('media_type_unsupported', {
    measured: advice ? `${found.name}: ${advice}` : found.name,
    limit: allowed.join(', ') || 'no file of this kind',
  })
}

export function checkSize({ width, height, ratio }: Size, limits: KindLimits): void {
  const fits = (value: number, min: number, max: number) => (min === 0 || value >= min) && (max === 0 || value <= max)
  if (!fits(width, limits.widthMin, limits.widthMax) || !fits(height, limits.heightMin, limits.heightMax))
    throw reject('media_dimensions', { measured: `${width} × ${height} px`, limit: `${sizeRange(limits)} px` })
  const outside =
    (limits.ratioMin > 0 && ratio < limits.ratioMin - ratioTolerance) || (limits.ratioMax > 0 && ratio > limits.ratioMax + ratioTolerance)
  if (outside)
    throw reject('media_dimensions', { measured: `width/height ${rounded(ratio)}`, limit: `${limits.ratioMin}–${limits.ratioMax}` })
}

const sizeRange = ({ widthMin, widthMax, heightMin, heightMax }: KindLimits) =>
  widthMin === heightMin && widthMax === heightMax ? `${widthMin}–${widthMax}` : `${widthMin}–${widthMax} × ${heightMin}–${heightMax}`

export function checkDecodedPixels(width: number, height: number, frames: number): void {
  if (width * height * frames > decodedPixelsMax)
    throw reject('media_dimensions', {
      measured: `${frames} frames of ${width} × ${height} px`,
      limit: `${decodedPixelsMax / 1_000_000} megapixels in all`,
    })
}

/** Checks the average rate, even if the rate varies. `roundingShare` is a time-scale tick divided by the length. */
export function checkFrameRate(
  { average, roundingShare, varies }: { average: number; roundingShare: number; varies: boolean },
  { frameRateMin, frameRateMax }: KindLimits,
): void {
  const tooFast = frameRateMax > 0 && average > frameRateMax * (1 + fastTolerance + roundingShare)
  const tooSlow = frameRateMin > 0 && average < frameRateMin * (1 - slowTolerance - roundingShare)
  const limit = `${frameRateMin}–${frameRateMax} frames a second`
  if (!tooFast && !tooSlow) return
  throw reject(
    'media_frame_rate',
    varies
      ? { measured: `${rounded(average)} on average`, limit: `${limit}: export it at a constant ${usualFrameRate}` }
      : { measured: rounded(average), limit },
  )
}

/** `tickSeconds` is the resolution of times: a scale of 600 can't express every end exactly. */
export function checkSeconds(seconds: number, { secondsMin, secondsMax }: KindLimits, tickSeconds = 0): void {
  const tolerance = secondsTolerance + Math.min(tickSeconds, tickSecondsMax)
  const tooShort = secondsMin > 0 && seconds < secondsMin - tolerance
  const tooLong = secondsMax > 0 && seconds > secondsMax + tolerance
  if (tooShort || tooLong) throw reject('media_duration', { measured: `${rounded(seconds)} s`, limit: `${secondsMin}–${secondsMax} s` })
}

/**
 * The declared length is the decoded one rounded up. Two frames across a whole second may count or not, because
 * programs that copy a part of a stream write that many more than they were asked for.
 */
export function checkDeclaredSeconds(seconds: number, frameSeconds: number, declared: number): void {
  if (declared === 0) return
  const tolerance = Math.min(2 * frameSeconds, declaredToleranceMax)
  const [least, most] = [Math.ceil(seconds - tolerance - secondsTolerance), Math.ceil(seconds - secondsTolerance)]
  if (declared < least || declared > most)
    throw reject('media_duration_mismatch', { measured: `${rounded(seconds)} s`, limit: `${declared} s declared, ${most} s expected` })
}

export const rounded = (value: number) => String(Math.round(value * 1000) / 1000)
