import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const
const scalar = Type.Union([Type.String(), Type.Integer(), Type.Boolean()])

const field = Type.Object(
  {
    required: Type.Optional(Type.Boolean()),
    min: Type.Optional(Type.Integer()),
    max: Type.Optional(Type.Integer()),
    /** The permitted values of an integer or a choice. */
    one_of: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Integer()]), { minItems: 1, uniqueItems: true })),
    default: Type.Optional(scalar),
    items_min: Type.Optional(Type.Integer({ minimum: 0 })),
    items_max: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Maximum sum of a list of seconds. */
    sum_max: Type.Optional(Type.Integer({ minimum: 1 })),
    /** A list of seconds whose sum is the default of the field. */
    follows: Type.Optional(Type.String()),
  },
  closed,
)

/** A scalar or a list means "is one of"; the others name what they compare. */
const condition = Type.Union([
  scalar,
  Type.Array(scalar, { minItems: 1 }),
  Type.Object({ present: Type.Boolean() }, closed),
  Type.Object({ min: Type.Optional(Type.Integer()), max: Type.Optional(Type.Integer()) }, { ...closed, minProperties: 1 }),
  Type.Object({ items_min: Type.Optional(Type.Integer()), items_max: Type.Optional(Type.Integer()) }, { ...closed, minProperties: 1 }),
])
const conditions = Type.Record(Type.String(), condition)

const rule = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
    when: Type.Optional(conditions),
    require: Type.Optional(conditions),
    require_any: Type.Optional(conditions),
    /** Fields to add up: integers, and sums of lists of seconds. */
    total: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    at_most: Type.Optional(Type.Integer()),
    equals_sum_of: Type.Optional(Type.String()),
  },
  closed,
)

const mode = Type.Object(
  {
    fields: Type.Optional(Type.Record(Type.String(), field)),
    references_min: Type.Optional(Type.Literal(1)),
    references_max: Type.Optional(Type.Integer({ minimum: 1 })),
    rules: Type.Optional(Type.Array(rule)),
  },
  closed,
)

const amount = Type.Number({ exclusiveMinimum: 0 })
const amounts = Type.Record(Type.String(), Type.Union([amount, Type.Record(Type.String(), amount)]))

export const listPriceShape = Type.Object(
  {
    currency: Type.String(),
    per: Type.Union([Type.Literal('second'), Type.Literal('generation'), Type.Literal('million_tokens')]),
    /** Tokens per second by resolution, for prices by token. */
    tokens_per_second: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 1 }))),
    /** By resolution: an amount, or amounts by `silent` and `audio` or by output seconds. */
    output: amounts,
    input_video: Type.Optional(Type.Record(Type.String(), amount)),
    source: Type.Optional(Type.String()),
  },
  closed,
)

/** A model's file under models/. */
export const cardFileShape = Type.Object(
  {
    model: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,63}$' }),
    family: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
    /** The model of requests without `model`; exactly one card has it. */
    default_model: Type.Optional(Type.Boolean()),
    /** Omitted if requests must name a mode. */
    default_mode: Type.Optional(Type.String()),
    /** Fields of every mode; a mode's own field of the same name overrides one. */
    fields: Type.Record(Type.String(), field),
    modes: Type.Record(Type.String(), mode, { minProperties: 1 }),
    /** Rules of every mode, before the mode's own. */
    rules: Type.Optional(Type.Array(rule)),
    notes: Type.Optional(Type.Array(Type.String())),
    list_price: listPriceShape,
  },
  closed,
)

export type CardFile = Static<typeof cardFileShape>
export type CardField = Static<typeof field>
export type CardMode = Static<typeof mode>
export type CardRule = Static<typeof rule>
export type CardCondition = Static<typeof condition>
export type ListPrice = Static<typeof listPriceShape>
