import { invariant } from '@filmgate/kit/failure'
import type { ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { PriceItem, type PriceRow, PriceUnit } from '@filmgate/proto/gen/filmgate/v1/price_pb'
import type { GenerationRequest } from './request'

/** `rate` is credits for one unit; `credits` is what the line adds to the rounded-up total, so the lines sum to it exactly. */
export type PriceLine = { item: 'output' | 'input_video'; quantity: number; unit: 'second' | 'generation'; rate: number; credits: number }
export type Price = { credits: number; priceVersion: string; billedSeconds: number; breakdown: PriceLine[] }

const microPerCredit = 1_000_000

/** Credits of a request: output and declared input seconds at the card's rates, summed in millionths and rounded up once. */
export function compilePrice(card: ModelCard): (request: GenerationRequest) => Price {
  const rows = card.pricing?.rows ?? []
  const outputs = rows.filter(row => row.item === PriceItem.OUTPUT)
  const inputs = new Map(rows.filter(row => row.item === PriceItem.INPUT_VIDEO).map(row => [row.resolution, row]))

  return request => {
    const output = outputs.find(row => fits(row, request))
    invariant(output, `${card.model} has no price for ${request.resolution}, ${request.duration} s`)
    const input = inputs.get(request.resolution)
    const inputSeconds = request.reference_video_durations?.reduce((sum, seconds) => sum + seconds, 0) ?? 0
    let microSoFar = 0
    const line = (item: PriceLine['item'], row: PriceRow, seconds: number): PriceLine => {
      const perGeneration = row.unit === PriceUnit.GENERATION
      const quantity = perGeneration ? 1 : seconds
      const before = Math.ceil(microSoFar / microPerCredit)
      microSoFar += quantity * Number(row.microCredits)
      const credits = Math.ceil(microSoFar / microPerCredit) - before
      return { item, quantity, unit: perGeneration ? 'generation' : 'second', rate: Number(row.microCredits) / microPerCredit, credits }
    }
    const breakdown = [line('output', output, request.duration)]
    if (input && inputSeconds > 0) breakdown.push(line('input_video', input, inputSeconds))
    return { credits: Math.ceil(microSoFar / microPerCredit), priceVersion: card.priceVersion, billedSeconds: request.duration, breakdown }
  }
}

const fits = (row: PriceRow, { resolution, duration, generate_audio }: GenerationRequest): boolean =>
  (row.resolution === '' || row.resolution === resolution) &&
  (row.audio === undefined || row.audio === (generate_audio ?? false)) &&
  (row.durationSeconds === 0 || row.durationSeconds === duration)
