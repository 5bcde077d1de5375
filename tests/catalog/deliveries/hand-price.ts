/** A row of a model's `pricing` in GET /models. */
export type Row = {
  item: string
  unit: string
  resolution: string
  generate_audio?: boolean
  duration?: number
  credits_per_unit: number
}
export type Priced = { resolution: string; seconds: number; audio: boolean; inputSeconds: number }

/** By hand: the price in whole credits; of clips that of the longest that it reaches, or else of the shortest. */
export function priceOf(rows: Row[], { resolution, seconds, audio, inputSeconds }: Priced): number {
  const fitting = outputs(rows).filter(row => row.resolution === resolution && (row.generate_audio ?? audio) === audio)
  const byLength = [...fitting].sort((one, other) => (one.duration ?? 0) - (other.duration ?? 0))
  const row = byLength.findLast(({ duration = 0 }) => duration <= seconds) ?? byLength[0]
  const input = rows.find(({ item, resolution: of }) => item === 'input_video' && of === resolution)?.credits_per_unit ?? 0
  const micro = (credits: number) => Math.round(credits * 1_000_000)
  const output = micro(row?.credits_per_unit ?? 0) * (row?.unit === 'generation' ? 1 : seconds)
  return Math.ceil((output + micro(input) * inputSeconds) / 1_000_000)
}

/** By hand: what is due for a delivery, never more than for the order. */
export function chargeOf(rows: Row[], ordered: Priced, delivered: Priced): number {
  const reserved = priceOf(rows, ordered)
  return isWhole(rows) ? reserved : Math.min(priceOf(rows, delivered), reserved)
}

/** How the model is priced. */
export function shapeOf(rows: Row[]): string {
  if (isWhole(rows)) return 'generation'
  const units = outputs(rows).some(({ unit }) => unit === 'generation') ? 'clip' : 'second'
  const audio = outputs(rows).some(({ generate_audio }) => generate_audio !== undefined) ? '+sound' : ''
  return `${units}${audio}${rows.some(({ item }) => item === 'input_video') ? '+input' : ''}`
}

const sides: Record<string, number> = { '2k': 1440, '4k': 2160 }
const sideOf = (resolution: string) => sides[resolution] ?? Number.parseInt(resolution, 10)
const outputs = (rows: Row[]) => rows.filter(({ item }) => item === 'output')

/** A model with one price for a generation has no price for less. */
const isWhole = (rows: Row[]) => outputs(rows).every(({ unit, duration }) => unit === 'generation' && duration === undefined)
/** The smallest resolution that the model has. */
export const smallest = (rows: Row[]) =>
  [...outputs(rows)].sort((one, other) => sideOf(one.resolution) - sideOf(other.resolution))[0]?.resolution ?? ''

/** The longest clip of that resolution that has a price; undefined for a model that is priced otherwise. */
export function longestClip(rows: Row[], resolution: string): number | undefined {
  const lengths = outputs(rows).flatMap(row => (row.resolution === resolution && row.duration ? [row.duration] : []))
  return lengths.length > 0 ? Math.max(...lengths) : undefined
}
