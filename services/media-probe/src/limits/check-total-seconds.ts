import type { InputMedia, KindLimits } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { reject } from '../errors'
import { rounded, secondsTolerance } from './check'

export type MeasuredInput = { input: InputMedia; seconds: number }

/**
 * Sums the measured lengths per kind; each may exceed its declared length by a frame.
 * Returns the first file over the limit with its rejection.
 */
export function findTotalSecondsFault(media: MeasuredInput[], kinds: readonly KindLimits[]) {
  for (const { kind, secondsTotalMax } of kinds) {
    if (secondsTotalMax === 0) continue
    let total = 0
    const own = media.filter(({ input }) => input.kind === kind)
    for (const { input, seconds } of own) {
      total += seconds
      if (total <= secondsTotalMax + secondsTolerance) continue
      const sum = own.reduce((all, one) => all + one.seconds, 0)
      const measured = `${rounded(sum)} s in all ${own.length} files`
      return { input, error: reject('media_duration', { measured, limit: `${secondsTotalMax} s of all files of ${input.field} together` }) }
    }
  }
  return undefined
}
