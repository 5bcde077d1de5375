export type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  pattern?: string
  minimum?: number
  minLength?: number
  minItems?: number
}

export type Body = Record<string, unknown>

/** A string in a body: a field, or the first item of a list, and the schema it is of. */
export type StringField = { name: string; inList: boolean; schema: Schema }

export function stringFields({ properties = {} }: Schema): StringField[] {
  return Object.entries(properties).flatMap(([name, schema]): StringField[] => {
    if (isString(schema)) return [{ name, inList: false, schema }]
    return schema.type === 'array' && schema.items && isString(schema.items) ? [{ name, inList: true, schema: schema.items }] : []
  })
}

const isString = ({ type, anyOf, const: only, enum: values }: Schema): boolean =>
  type === 'string' || typeof only === 'string' || typeof values?.[0] === 'string' || (anyOf ?? []).some(isString)

export const withField = (body: Body, { name, inList }: StringField, value: string): Body => ({ ...body, [name]: inList ? [value] : value })

/** A body with what the schema requires, of the smallest values it allows. `known` are values that mean something to the service. */
export function smallestBody({ properties = {}, required = [] }: Schema, known: Body): Body {
  return Object.fromEntries(required.map(name => [name, known[name] ?? smallest(properties[name] ?? {})]))
}

function smallest({ const: only, enum: values, anyOf, default: fallback, type, minimum, items, minItems = 0 }: Schema): unknown {
  if (only !== undefined) return only
  if (fallback !== undefined) return fallback
  if (values) return values[0]
  if (anyOf?.[0]) return smallest(anyOf[0])
  if (type === 'integer') return minimum ?? 0
  if (type === 'boolean') return true
  if (type === 'array') return Array.from({ length: minItems }, () => smallest(items ?? {}))
  return 'x'
}
