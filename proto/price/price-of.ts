import { PriceItem, type PriceRow, PriceUnit } from '../gen/filmgate/v1/price_pb'

/** What is priced: what an order asks for, or what came of it. Lengths are whole seconds; `inputSeconds` of all reference videos together. */
export type Priced = { resolution: string; seconds: number; audio: boolean; inputSeconds: number }

/** `rate` is credits for one unit; `credits` is what the line adds to the rounded-up total, so the lines sum to it exactly. */
export type PriceLine = { item: 'output' | 'input_video'; quantity: number; unit: 'second' | 'generation'; rate: number; credits: number }
export type Price = { credits: number; breakdown: PriceLine[] }

const microPerCredit = 1_000_000

/**
 * The credits that a model's rows make of it: output and input seconds at their rates, summed in millionths and rounded up once. Undefined where
 * no output row fits.
 */
export function priceOf(rows: readonly PriceRow[], { resolution, seconds, audio, inputSeconds }: Priced): Price | undefined {
  const output = rows.find(row => row.item === PriceItem.OUTPUT && fits(row, { resolution, seconds, audio }))
  if (!output) return undefined
  const input = rows.find(row => row.item === PriceItem.INPUT_VIDEO && row.resolution === resolution)
  let microSoFar = 0
  const line = (item: PriceLine['item'], row: PriceRow, rowSeconds: number): PriceLine => {
    const perGeneration = row.unit === PriceUnit.GENERATION
    const quantity = perGeneration ? 1 : rowSeconds
    const before = Math.ceil(microSoFar / microPerCredit)
    microSoFar += quantity * Number(row.microCredits)
    const credits = Math.ceil(microSoFar / microPerCredit) - before
    return { item, quantity, unit: perGeneration ? 'generation' : 'second', rate: Number(row.microCredits) / microPerCredit, credits }
  }
  const breakdown = [line('output', output, seconds)]
  if (input && inputSeconds > 0) breakdown.push(line('input_video', input, inputSeconds))
  return { credits: Math.ceil(microSoFar / microPerCredit), breakdown }
}

const fits = (row: PriceRow, { resolution, seconds, audio }: Omit<Priced, 'inputSeconds'>): boolean =>
  (row.resolution === '' || row.resolution === resolution) &&
  (row.audio === undefined || row.audio === audio) &&
  (row.durationSeconds === 0 || row.durationSeconds === seconds)
