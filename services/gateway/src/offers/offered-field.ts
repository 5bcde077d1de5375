import { create } from '@bufbuild/protobuf'
import { type Field, FieldKind, FieldSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { UnofferedValues } from '@filmgate/proto/gen/filmgate/v1/offers_pb'
import { defaultOf } from '../rules/default-of'

/**
 * A field with the values that are left of it; undefined where none is. What stands for a field left out may be gone: then a request must
 * name a value, because another default would be a choice, and perhaps a price, that nobody made.
 */
export function offeredField(field: Field, unoffered: UnofferedValues): Field | undefined {
  const { choices, integers, booleans, above, below } = unoffered
  const lists = choices.length + integers.length + booleans.length
  if (lists === 0 && above === undefined && below === undefined) return undefined
  const rest = restOf(field, unoffered)
  if (!rest) return undefined
  const leftOut = defaultOf(field) ?? (field.name === 'aspect_ratio' ? impliedRatio : undefined)
  const left = create(FieldSchema, { ...field, ...rest })
  return isUnoffered(leftOut, unoffered) ? create(FieldSchema, { ...left, required: true, default: undefined }) : left
}

/** What an order says where a request leaves the ratio out, and the card has no default (order-of.ts). */
const impliedRatio = 'adaptive'

function isUnoffered(
  value: string | number | boolean | undefined,
  { choices, integers, booleans, above, below }: UnofferedValues,
): boolean {
  if (typeof value === 'string') return choices.includes(value)
  if (typeof value === 'boolean') return booleans.includes(value)
  if (typeof value !== 'number') return false
  return integers.includes(BigInt(value)) || value > Number(above ?? value) || value < Number(below ?? value)
}

/** What of the field changes; undefined where nothing is left of it. */
function restOf(field: Field, { choices, integers, booleans, above, below }: UnofferedValues): Partial<Field> | undefined {
  switch (field.kind) {
    case FieldKind.CHOICE: {
      const left = field.choices.filter(choice => !choices.includes(choice))
      return left.length > 0 ? { choices: left } : undefined
    }
    case FieldKind.INTEGER:
      return restOfIntegers(field, integers, { above, below })
    case FieldKind.BOOLEAN:
      return booleans.length < 2 ? {} : undefined
    case FieldKind.TEXT:
      return (above ?? 1n) < (field.min ?? 1n) ? undefined : { max: lower(field.max, above) }
    case FieldKind.URL_LIST:
      return above === 0n ? undefined : { itemsMax: Math.min(field.itemsMax, Number(above ?? field.itemsMax)) }
    default:
      return {}
  }
}

type Bounds = { above?: bigint; below?: bigint }

/** As a range where they follow each other, else each by itself. */
function restOfIntegers({ integers, min = 0n, max = 0n }: Field, without: bigint[], { above, below }: Bounds): Partial<Field> | undefined {
  const from = below === undefined || below < min ? min : below
  const to = lower(max, above) ?? max
  if (integers.length === 0 && without.length === 0) return from <= to ? { min: from, max: to } : undefined
  const all = integers.length > 0 ? integers : Array.from({ length: Math.max(0, Number(to - from) + 1) }, (_, at) => from + BigInt(at))
  const left = all.filter(value => !without.includes(value))
  const [first, last] = [left[0], left.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const follow = integers.length === 0 && Number(last - first) === left.length - 1
  return follow ? { min: first, max: last } : { integers: left }
}

const lower = (one: bigint | undefined, other: bigint | undefined): bigint | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one
