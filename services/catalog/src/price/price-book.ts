import { type Static, Type } from '@sinclair/typebox'
import { listPriceShape } from '../card/card-file'

/** How list prices become credits, and which list prices stand in place of those in the cards. */
export const priceBookShape = Type.Object(
  {
    version: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,39}$' }),
    /** What every list price is multiplied by; the one place for it. */
    margin: Type.Number({ minimum: 0.01, maximum: 100 }),
    /** US dollars for one unit of each currency. */
    usd_per: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 })),
    /** The day usd_per was looked up. */
    rates_of: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
    models: Type.Optional(Type.Record(Type.String(), listPriceShape)),
  },
  { additionalProperties: false },
)

export type PriceBook = Static<typeof priceBookShape>
