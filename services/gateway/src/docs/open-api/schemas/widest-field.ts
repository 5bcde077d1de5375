import { create } from '@bufbuild/protobuf'
import { type Field, FieldSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'

/** One field of several modes as the one that takes all that any of them takes. */
export function widestField(fields: Field[]): Field {
  const [first, ...others] = fields
  if (!first) throw new Error('a field of no mode')
  return others.reduce(wider, first)
}

const wider = (one: Field, other: Field): Field =>
  create(FieldSchema, {
    ...one,
    required: one.required && other.required,
    min: lowest(one.min, other.min),
    max: highest(one.max, other.max),
    choices: union(one.choices, other.choices),
    integers: union(one.integers, other.integers),
    itemsMin: Math.min(one.itemsMin, other.itemsMin),
    itemsMax: Math.max(one.itemsMax, other.itemsMax),
  })

const union = <T>(one: T[], other: T[]): T[] => [...new Set([...one, ...other])]
const lowest = (one?: bigint, other?: bigint) => (one === undefined || other === undefined ? undefined : one < other ? one : other)
const highest = (one?: bigint, other?: bigint) => (one === undefined || other === undefined ? undefined : one > other ? one : other)
