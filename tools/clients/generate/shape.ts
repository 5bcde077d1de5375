import { refName, type Schema } from './document'

/** What a value may be, in words that both languages have. */
export type Shape =
  | { kind: 'text' | 'integer' | 'number' | 'boolean' | 'null' | 'unknown' }
  | { kind: 'literal'; values: Literal[] }
  | { kind: 'list'; items: Shape }
  | { kind: 'map'; values: Shape }
  | { kind: 'union'; of: Shape[] }
  | { kind: 'named'; name: string }
  | { kind: 'object'; properties: Property[]; open: boolean }

export type Literal = string | number | boolean
export type Property = { name: string; shape: Shape; required: boolean; description: string }

/** Longer ranges of integers are not spelled out as literals. */
const literalsMax = 30

/** Throws on what it has no word for: nothing of the document is passed over in silence. */
export function shapeOf(schema: Schema): Shape {
  if (schema.const !== undefined) return { kind: 'literal', values: [schema.const] }
  if (schema.enum) return { kind: 'literal', values: schema.enum }
  if (schema.$ref) return { kind: 'named', name: refName(schema.$ref) }
  const union = schema.anyOf ?? schema.oneOf
  if (union) return unionOf(union.map(shapeOf))
  if (Array.isArray(schema.type)) return unionOf(schema.type.map(type => shapeOf({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return { kind: 'text' }
    case 'integer':
      return integerShape(schema)
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: schema.type }
    case 'array':
      return { kind: 'list', items: schema.items ? itemShape(schema.items) : { kind: 'unknown' } }
    case 'object':
      return objectShape(schema)
    default:
      throw new Error(`no type for ${JSON.stringify(schema).slice(0, 200)}`)
  }
}

/** Items of a list are often measured, not written: their range is not spelled out. */
const itemShape = ({ minimum: _, maximum: __, ...items }: Schema): Shape => shapeOf(items)

function integerShape({ minimum, maximum }: Schema): Shape {
  if (minimum === undefined || maximum === undefined || maximum - minimum >= literalsMax) return { kind: 'integer' }
  return { kind: 'literal', values: Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index) }
}

function objectShape({ properties = {}, required = [], additionalProperties }: Schema): Shape {
  const entries = Object.entries(properties)
  if (entries.length === 0 && typeof additionalProperties === 'object') return { kind: 'map', values: shapeOf(additionalProperties) }
  if (entries.length === 0) return { kind: 'map', values: { kind: 'unknown' } }
  return {
    kind: 'object',
    open: additionalProperties === true,
    properties: entries.map(([name, schema]) => {
      if (schema === false) throw new Error(`${name} is never there`)
      return { name, shape: shapeOf(schema), required: required.includes(name), description: schema.description ?? '' }
    }),
  }
}

function unionOf(shapes: Shape[]): Shape {
  if (!shapes.every(shape => shape.kind === 'literal')) return { kind: 'union', of: shapes }
  return { kind: 'literal', values: shapes.flatMap(({ values }) => values) }
}
