import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Field, ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { PriceItem, type PriceRowSchema, PriceUnit } from '@filmgate/proto/gen/filmgate/v1/price_pb'
import type { ListPrice } from '../card/card-file'
import type { ReportFault } from '../card/expand-field'
import type { PriceBook } from './price-book'

type Row = MessageInitShape<typeof PriceRowSchema> & { microCredits: bigint }

/** The model's price rows in credits. Checks that each permitted request matches exactly one output row. */
export function priceCard(card: ModelCard, price: ListPrice, book: PriceBook, report: ReportFault): Row[] {
  const rate = book.usd_per[price.currency]
  if (rate === undefined) {
    report('currency', `the price book has no usd_per.${price.currency}`)
    return []
  }
  const micro = (amount: number, resolution: string): bigint => {
    const tokens = price.per === 'million_tokens' ? price.tokens_per_second?.[resolution] : undefined
    if (price.per === 'million_tokens' && tokens === undefined) report(`tokens_per_second.${resolution}`, 'is missing')
    return microCredits(amount, { usdPerUnit: rate, margin: book.margin, creditUsd: book.credit_usd, tokens })
  }
  const unit = price.per === 'generation' ? PriceUnit.GENERATION : PriceUnit.SECOND
  const output = Object.entries(price.output).flatMap(([resolution, amounts]): Row[] => {
    const row = { item: PriceItem.OUTPUT, unit, resolution }
    if (typeof amounts === 'number') return [{ ...row, microCredits: micro(amounts, resolution) }]
    return Object.entries(amounts).map(([key, amount]) => ({ ...row, ...variant(key, report), microCredits: micro(amount, resolution) }))
  })
  const input = Object.entries(price.input_video ?? {}).map(([resolution, amount]) => ({
    item: PriceItem.INPUT_VIDEO,
    unit: PriceUnit.SECOND,
    resolution,
    microCredits: micro(amount, resolution),
  }))
  if (unit === PriceUnit.SECOND && input.length === 0 && needsInputVideoPrice(card)) report('input_video', 'is missing')
  checkCovered(card, [...output, ...input], report)
  return [...output, ...input]
}

/** Whether seconds of reference video need a price: not if the output's length follows the video's. */
const needsInputVideoPrice = ({ modes }: ModelCard): boolean =>
  modes.some(
    ({ fields }) =>
      fields.some(({ name }) => name === 'reference_video_urls') && !fields.some(({ name, follows }) => name === 'duration' && follows),
  )

function variant(key: string, report: ReportFault): { audio: boolean } | { durationSeconds: number } | undefined {
  if (key === 'silent' || key === 'audio') return { audio: key === 'audio' }
  if (/^\d+$/.test(key)) return { durationSeconds: Number(key) }
  report('output', `${key} is neither silent, audio nor a number of seconds`)
  return undefined
}

/** `usdPerUnit`: US dollars per unit of the currency. `tokens`: per second, if the amount is for a million of them. */
export type Rates = { usdPerUnit: number; margin: number; creditUsd: number; tokens?: number | undefined }

/** Rounds up, in integer arithmetic: amounts, rates and credit value to six decimals, the margin to three. */
export function microCredits(amount: number, { usdPerUnit, margin, creditUsd, tokens }: Rates): bigint {
  const product = scaled(amount, 1e6) * scaled(usdPerUnit, 1e6) * scaled(margin, 1e3) * BigInt(tokens ?? 1)
  const divisor = 1_000n * creditMicroUsd(creditUsd) * (tokens === undefined ? 1n : 1_000_000n)
  return (product + divisor - 1n) / divisor
}

export const creditMicroUsd = (creditUsd: number): bigint => scaled(creditUsd, 1e6)

/** Finds a field in all modes of the card. */
const modelFields =
  (card: ModelCard) =>
  (name: string): Field[] =>
    card.modes.flatMap(mode => mode.fields.filter(field => field.name === name))

const scaled = (value: number, scale: number): bigint => BigInt(Math.round(value * scale))

/** Reports combinations with no or several prices, and rows that match nothing. */
function checkCovered(card: ModelCard, rows: Row[], report: ReportFault): void {
  const fields = modelFields(card)
  const resolutions = new Set(fields('resolution').flatMap(field => field.choices))
  const audios = fields('generate_audio').length > 0 ? [false, true] : [false]
  const durations = [...new Set(fields('duration').flatMap(durationsOf))]
  const outputs = rows.filter(row => row.item === PriceItem.OUTPUT)
  const inputs = rows.filter(row => row.item === PriceItem.INPUT_VIDEO)
  for (const { resolution = '' } of rows) {
    if (!resolutions.has(resolution)) report('output', `${resolution} is not a resolution of ${card.model}`)
  }
  for (const resolution of resolutions) {
    const fitting = (audio: boolean, duration: number) => outputs.filter(row => fits(row, resolution, audio, duration)).length
    const combinations = audios.flatMap(audio => durations.map(duration => ({ audio, duration, rows: fitting(audio, duration) })))
    const fault = combinations.find(({ rows }) => rows !== 1)
    if (fault) {
      const message = fault.rows === 0 ? 'no price' : 'more than one price'
      report(`output.${resolution}`, `${message} for ${fault.duration} s ${fault.audio ? 'with' : 'without'} audio`)
    }
    if (inputs.length > 0 && !inputs.some(row => row.resolution === resolution)) report(`input_video.${resolution}`, 'is missing')
  }
}

const fits = (row: Row, resolution: string, audio: boolean, duration: number): boolean =>
  row.resolution === resolution &&
  (row.audio === undefined || row.audio === audio) &&
  (!row.durationSeconds || row.durationSeconds === duration)

const durationsOf = (field: Field): number[] =>
  field.integers.length > 0
    ? field.integers.map(Number)
    : Array.from({ length: Number(field.max) - Number(field.min) + 1 }, (_, index) => Number(field.min) + index)
