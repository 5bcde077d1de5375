import fc from 'fast-check'
import type { PublishedCatalog, PublishedMode, PublishedModel, Schema } from '../models/published-models'

/**
 * Bodies for the published catalog: mostly near the edge between valid and invalid, so that each body has a fair chance to be either.
 * A fault too many would hide every other.
 */
export function bodies(catalog: PublishedCatalog): fc.Arbitrary<unknown> {
  const shapes = catalog.data.flatMap(model => Object.entries(model.modes).map(([name, mode]) => body(model, name, mode)))
  const everyField = [...new Set(catalog.data.flatMap(model => Object.values(model.modes).flatMap(mode => mode.fields)))]
  const spoilt = fc
    .tuple(fc.oneof(...shapes), fc.constantFrom(...everyField, 'callback_url', '__proto__', 'constructor', ''), anything)
    .map(([made, name, value]) => withProperty(made, name, value))
  return fc.oneof({ weight: 88, arbitrary: fc.oneof(...shapes) }, { weight: 10, arbitrary: spoilt }, { weight: 2, arbitrary: anything })
}

type Body = Record<string, unknown>

function withProperty(body: Body, name: string, value: unknown): Body {
  const copy = { ...body }
  // As JSON.parse does it: also `__proto__` becomes a property like any other.
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

function body(model: PublishedModel, name: string, { schema, required }: PublishedMode): fc.Arbitrary<Body> {
  const properties = schema.properties as Record<string, Schema>
  const parts: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [field, property] of Object.entries(properties)) {
    if (field === 'model') parts[field] = mostly(97, fc.constant(model.id), fc.constantFrom('alpha-h3', 'nothing', null, absent))
    else if (field === 'mode')
      parts[field] = mostly(96, fc.constant(name), fc.constantFrom('text-to-video', 'media-to-video', 'video', null, absent))
    else if (!field.endsWith('_durations'))
      parts[field] = maybe(required.includes(field) ? 98 : 45, mostly(95, legal(property), nearly(property)))
  }
  return fc
    .record(parts)
    .chain(made => fc.tuple(fc.constant(made), durations(properties, made)))
    .map(([made, seconds]) => Object.fromEntries(Object.entries({ ...made, ...seconds }).filter(([, value]) => value !== absent)))
}

/** Lengths that fit the URLs they are for, most of the time. */
function durations(properties: Record<string, Schema>, made: Body): fc.Arbitrary<Body> {
  const parts: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [field, property] of Object.entries(properties)) {
    if (!field.endsWith('_durations')) continue
    const files = made[field.replace('_durations', '_urls')]
    const count = Array.isArray(files) ? files.length : 0
    const each = property.items as Schema
    const fitting = fc.array(mostly(97, fc.oneof(fc.constant(each.minimum), legal(each)), nearly(each)), {
      minLength: count,
      maxLength: count,
    })
    parts[field] = mostly(
      94,
      count === 0 ? fc.constantFrom<unknown>(absent, absent, []) : fitting,
      fc.oneof(legal(property), anything, fc.constant(absent)),
    )
  }
  return fc.record(parts)
}

const absent = Symbol('absent')
const maybe = (percent: number, value: fc.Arbitrary<unknown>) => mostly(percent, value, fc.constant(absent))
const mostly = (percent: number, usual: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: percent, arbitrary: usual }, { weight: 100 - percent, arbitrary: other })

const anything = fc.jsonValue({ maxDepth: 2 }).map(value => (value === undefined ? null : value))
const spaces = fc.constantFrom('', ' ', '\n\t', '\u00a0', '\ufeff', '\u2003', '\u200b', '\u0085', '\u180e')
const text = fc.tuple(spaces, fc.string({ unit: 'binary', maxLength: 40 }), spaces).map(([before, inner, after]) => before + inner + after)
const long = fc
  .tuple(fc.constantFrom('x', 'é', '🎬', '字'), fc.constantFrom(1999, 2000, 2001, 6999, 7000, 7001), spaces)
  .map(([character, count, space]) => space + character.repeat(count) + space)
const address = fc.webUrl({ validSchemes: ['https'], withFragments: true, withQueryParameters: true })
const longAddress = fc.constantFrom(2047, 2048, 2049).map(length => `https://a.example/${'x'.repeat(length - 18)}`)
const nearlyAddress = fc.constantFrom(
  'http://a.example/',
  'HTTPS://A.EXAMPLE/x',
  'https://',
  'https:/a',
  'https://a b',
  ' https://a',
  'https://a\n',
  'https://ä.example',
  '',
)

function legal(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]))
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer') {
    const [min, max] = [schema.minimum as number, schema.maximum as number]
    return fc.oneof(fc.integer({ min, max: Math.min(max, 2 ** 31 - 1) }), fc.constantFrom(min, max))
  }
  if (schema.type === 'array') return legalList(schema)
  if (schema.maxLength !== undefined) return mostly(98, address, fc.oneof(longAddress, nearlyAddress))
  return mostly(96, fc.string({ minLength: 1, maxLength: 30 }), fc.oneof(text, long))
}

/** Mostly short, at times about as long as it may be: totals over several lists are met only so. */
function legalList(schema: Schema): fc.Arbitrary<unknown> {
  const [least, most] = [(schema.minItems as number) ?? 0, schema.maxItems as number]
  const items = schema.items as Schema
  const short = fc.array(legal(items), { minLength: least, maxLength: most, size: 'xsmall' })
  const plain = items.type === 'integer' ? fc.constant(items.minimum) : fc.constant('https://a.example/')
  const long = fc.array(plain, { minLength: Math.max(least, most - 3), maxLength: most, size: 'max' })
  return fc.oneof({ weight: 75, arbitrary: short }, { weight: 25, arbitrary: long })
}

/** Just outside, or of another type. */
function nearly(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.type === 'integer' && schema.minimum !== undefined) {
    const [min, max] = [schema.minimum as number, schema.maximum as number]
    return fc.oneof(fc.constantFrom<unknown>(min - 1, max + 1, min + 0.5, String(min), -0, 1e21, min), anything)
  }
  if (schema.type === 'array') {
    const most = schema.maxItems as number
    const items = nearlyOrLegal(schema.items as Schema)
    return fc.oneof(fc.array(items, { minLength: most, maxLength: most + 1 }), fc.array(items, { maxLength: 2 }), anything)
  }
  if (schema.enum) return fc.oneof(fc.constantFrom<unknown>(7, '7', '1080P', ''), anything)
  if (schema.maxLength !== undefined) return fc.oneof(nearlyAddress, longAddress, anything)
  return fc.oneof(text, long, anything)
}

const nearlyOrLegal = (schema: Schema) => mostly(80, legal(schema), fc.oneof(anything, nearlyScalar(schema)))
const nearlyScalar = (schema: Schema) =>
  schema.type === 'integer' ? fc.constantFrom<unknown>(0, 1, 31, 2.5) : fc.oneof(nearlyAddress, longAddress)
