import { invariant } from '@filmgate/kit/failure'
import type { ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { type PriceLine, priceOf } from '@filmgate/proto/price/price-of'
import type { GenerationRequest } from './request'

export type { PriceLine }
export type Price = { credits: number; priceVersion: string; billedSeconds: number; breakdown: PriceLine[] }

/** Credits of a request: output and declared input seconds at the card's rates. */
export function compilePrice({ model, priceVersion, pricing }: ModelCard): (request: GenerationRequest) => Price {
  const rows = pricing?.rows ?? []
  return request => {
    const { resolution, duration } = request
    const price = priceOf(rows, {
      resolution,
      seconds: duration,
      audio: request.generate_audio ?? false,
      inputSeconds: request.reference_video_durations?.reduce((sum, seconds) => sum + seconds, 0) ?? 0,
    })
    invariant(price, `${model} has no price for ${resolution}, ${duration} s`)
    return { ...price, priceVersion, billedSeconds: duration }
  }
}
