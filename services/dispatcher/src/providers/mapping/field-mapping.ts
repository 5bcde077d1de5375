/** A value on a provider's wire. Null: nothing is sent, because the provider does that unasked. */
export type WireValue = string | number | boolean | null

/** How a provider names one field of our requests and its values. A value that it doesn't list has no mapping, and is never rounded. */
export type FieldMapping = {
  /** The field's name at the provider. Absent where nothing is sent for it: the model's name says it, or the provider does that unasked. */
  field?: string
  /** Ours → the provider's, and no others; a list where both say the same. */
  values?: string[] | Record<string, WireValue>
  /** Of a number, where any between these will do. */
  min?: number
  max?: number
  /** The provider writes the number in quotes. */
  quoted?: boolean
  /** Of a choice, where any that looks so will do. Routing files have lists instead. */
  pattern?: RegExp
  /** Of a text, in Unicode code points. */
  characters_max?: number
  /** Of media: the provider's field is a list of at most so many. Absent: it holds one address. */
  items_max?: number
}

/** By our field. A text alone is the name of a field that takes every value as it is. */
export type FieldMappings = Record<string, FieldMapping | string>

/** How a route writes an order. `always`: what is sent with every order. */
export type RouteMapping = { fields: FieldMappings; always: Record<string, WireValue> }

export const mappingOf = (fields: FieldMappings, field: string): FieldMapping | undefined => {
  const mapping = Object.hasOwn(fields, field) ? fields[field] : undefined
  return typeof mapping === 'string' ? { field: mapping } : mapping
}

/** What is sent for one of our values; undefined where it has no mapping. */
export function wireValue(mapping: FieldMapping, value: string | number | boolean | undefined): WireValue | undefined {
  const { values, min, max, pattern, characters_max: charactersMax } = mapping
  if (value === undefined || (pattern && !pattern.test(String(value)))) return undefined
  if (values) return fromList(values, value)
  if (typeof value === 'number' && (value < (min ?? value) || value > (max ?? value))) return undefined
  if (typeof value === 'string' && charactersMax !== undefined && [...value].length > charactersMax) return undefined
  if (mapping.field === undefined) return null
  return mapping.quoted ? String(value) : value
}

function fromList(values: NonNullable<FieldMapping['values']>, value: string | number | boolean): WireValue | undefined {
  const name = String(value)
  if (Array.isArray(values)) return values.includes(name) ? value : undefined
  return Object.hasOwn(values, name) ? values[name] : undefined
}
