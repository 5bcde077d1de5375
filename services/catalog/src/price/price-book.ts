import { type Static, Type } from '@sinclair/typebox'
import { listPriceShape } from '../card/card-file'
import { readDataFile } from '../card/read-data-file'

const belowCost = Type.Object(
  { mode: Type.Optional(Type.String()), resolution: Type.Optional(Type.String()), reason: Type.String({ minLength: 1, maxLength: 500 }) },
  { additionalProperties: false },
)

/** Converts list prices to credits; may override cards' list prices. */
export const priceBookShape = Type.Object(
  {
    version: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,39}$' }),
    /** A credit's value in US dollars at list price, in whole millionths. Defined only here. */
    credit_usd: Type.Number({ minimum: 0.000001, maximum: 1_000 }),
    /** The factor on every list price. Defined only here. */
    margin: Type.Number({ minimum: 0.01, maximum: 100 }),
    /** US dollars for one unit of each currency. */
    usd_per: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 })),
    /** The day usd_per was looked up. */
    rates_of: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    models: Type.Optional(Type.Record(Type.String(), listPriceShape)),
    /** By model: what may be sold below a route's cost. Without mode or resolution: all of it. */
    below_cost: Type.Optional(Type.Record(Type.String(), Type.Array(belowCost, { minItems: 1 }))),
  },
  { additionalProperties: false },
)

export type PriceBook = Static<typeof priceBookShape>
export type BelowCost = Static<typeof belowCost>

const overlayShape = Type.Composite([Type.Pick(priceBookShape, ['version']), Type.Partial(Type.Omit(priceBookShape, ['version']))], {
  additionalProperties: false,
})

/** The first file is complete. Each later one has its own version and overrides parts. */
export function readPriceBook([first, ...later]: string[], faults: string[]): PriceBook | undefined {
  if (first === undefined) return undefined
  const reporter = (path: string) => (field: string, message: string) => void faults.push(`${path} ${field && `${field}: `}${message}`)
  let book = readDataFile(first, priceBookShape, reporter(first))
  for (const path of later) {
    const overlay = readDataFile(path, overlayShape, reporter(path))
    if (!book || !overlay) return undefined
    book = {
      ...{ ...book, ...overlay },
      usd_per: { ...book.usd_per, ...overlay.usd_per },
      models: { ...book.models, ...overlay.models },
      below_cost: { ...book.below_cost, ...overlay.below_cost },
    }
  }
  return book
}
