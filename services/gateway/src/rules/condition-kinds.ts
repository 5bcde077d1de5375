import type { Condition } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarValue } from '@filmgate/proto/scalar'
import { counted, either } from '../issues/wording'
import type { Schema } from './json-schema'

/** All that is asked of a condition on a field, whatever its kind. */
export type ReadCondition = {
  /** Whether a request's value meets it, where defaults are applied and undefined is a field left out. */
  holds(value: unknown): boolean
  /** What it demands, after the field's name: "must be 6". */
  demand: string
  /** When it holds, after the field's name: "is 6". */
  state: string
  /** Holds for a body exactly where the condition holds, with `fallback` in place of the field left out. */
  schema(field: string, fallback: unknown): Schema
  /** As GET /models publishes it, beside the field's name. */
  published(fallback: unknown): PublishedTest
  /** Whether the field has to be there, or left out, for a condition that asks only this. */
  presence?: boolean
}

/** Holds with the default in place of a field left out; a list left out has no items. */
export type PublishedTest =
  | { present: boolean }
  | { one_of: unknown[]; default?: unknown }
  | { min?: number; max?: number; default?: unknown }
  | { items_min?: number; items_max?: number }

type Test = Condition['test']
type Kind = NonNullable<Test['case']>
type Read<K extends Kind> = (value: Extract<Test, { case: K }>['value']) => ReadCondition

/** Every kind of condition that a card may have. */
const kinds: { [K in Kind]: Read<K> } = {
  present: wanted => ({
    holds: value => (value !== undefined) === wanted,
    demand: wanted ? 'is required' : 'must be left out',
    state: wanted ? 'is given' : 'is left out',
    schema: field => (wanted ? { required: [field] } : { not: { required: [field] } }),
    published: () => ({ present: wanted }),
    presence: wanted,
  }),
  oneOf({ values }) {
    const listed = values.map(scalarValue)
    const legal = new Set<unknown>(listed)
    return {
      holds: value => legal.has(value),
      demand: `must be ${either(listed)}`,
      state: `is ${either(listed)}`,
      schema: (field, fallback) => valued(field, listed.length === 1 ? { const: listed[0] } : { enum: listed }, legal.has(fallback)),
      published: fallback => ({ one_of: listed, ...withDefault(fallback) }),
    }
  },
  range(bounds) {
    const range = rangeOf(bounds)
    const { min, max } = range
    return {
      holds: value => typeof value === 'number' && within(value, range),
      demand: `must be ${rangeWords(range, String)}`,
      state: `is ${rangeWords(range, String)}`,
      schema: (field, fallback) =>
        valued(
          field,
          { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) },
          within(Number(fallback), range),
        ),
      published: fallback => ({ ...range, ...withDefault(fallback) }),
    }
  },
  items(bounds) {
    const range = rangeOf(bounds)
    const { min, max } = range
    const words = rangeWords(range, count => counted(count, 'item'))
    return {
      holds: value => within(Array.isArray(value) ? value.length : 0, range),
      demand: `must have ${words}`,
      state: `has ${words}`,
      schema: field =>
        valued(field, { ...(min !== undefined && { minItems: min }), ...(max !== undefined && { maxItems: max }) }, within(0, range)),
      published: () => ({ ...(min !== undefined && { items_min: min }), ...(max !== undefined && { items_max: max }) }),
    }
  },
}

/** Throws on a condition without a test, which the catalog would not have published. */
export function readCondition({ field, test }: Condition): ReadCondition {
  if (test.case === undefined) throw new Error(`a condition on ${field} has no test`)
  const read = kinds[test.case] as (value: Test['value']) => ReadCondition
  return read(test.value)
}

/** Where the condition holds without the field, a body may leave it out. */
const valued = (field: string, schema: Schema, mayBeAbsent: boolean): Schema => ({
  properties: { [field]: schema },
  ...(!mayBeAbsent && { required: [field] }),
})

const withDefault = (fallback: unknown) => (fallback === undefined ? {} : { default: fallback })

type Range = { min?: number; max?: number }

const rangeOf = ({ min, max }: { min?: bigint; max?: bigint }): Range => ({
  ...(min !== undefined && { min: Number(min) }),
  ...(max !== undefined && { max: Number(max) }),
})

const within = (value: number, { min = -Infinity, max = Infinity }: Range): boolean => value >= min && value <= max

function rangeWords({ min, max }: Range, amount: (bound: number) => string): string {
  if (min !== undefined && max !== undefined) return min === max ? amount(min) : `from ${min} to ${amount(max)}`
  return min !== undefined ? `at least ${amount(min)}` : `at most ${amount(max ?? 0)}`
}
