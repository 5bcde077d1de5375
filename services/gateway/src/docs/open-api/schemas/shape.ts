import type { Schema } from '../../../rules/json-schema'

/** The small words that schemas of answers are put together from. */
export const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more })
export const whole = (description: string, minimum?: number): Schema => ({
  type: 'integer',
  description,
  ...(minimum !== undefined && { minimum }),
})
export const time = (description: string): Schema => text(description, { format: 'date-time' })
export const yes = (description: string): Schema => ({ type: 'boolean', description })
export const oneOf = (values: readonly string[], description: string): Schema => ({ type: 'string', enum: values, description })

/** A schema by its name; 3.1 lets a description stand beside a reference. */
export const ref = (name: string, description?: string): Schema => ({
  $ref: `#/components/schemas/${name}`,
  ...(description && { description }),
})
export const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description })
export const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description })
export const refOrNull = (name: string, description: string): Schema => ({ anyOf: [ref(name), { type: 'null' }], description })

/** An object with exactly these properties; those named by `optional` may be missing. */
export const object = (description: string, properties: Schema, optional: string[] = []): Schema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties).filter(name => !optional.includes(name)),
  additionalProperties: false,
})

/** A page of a list that has more. */
export const page = (item: string, description: string): Schema =>
  object(description, {
    object: { const: 'list', description: 'Always `list`.' },
    data: list(ref(item), 'The rows of this page.'),
    has_more: yes('Whether there are further rows.'),
    next_cursor: textOrNull('What to send as `cursor` for the next page; null on the last.'),
  })

const compositions = ['allOf', 'anyOf', 'oneOf']

/**
 * A condition as linters want it written, meaning the same: what is required is named among the properties, others are openly let pass, and
 * one of one is that one.
 */
export function spelledOut(schema: Schema): Schema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (['if', 'then', 'not'].includes(keyword)) return [keyword, spelledOut(value as Schema)]
    if (compositions.includes(keyword)) return [keyword, (value as Schema[]).map(spelledOut)]
    return [keyword, value]
  })
  const [[keyword, value] = [], ...others] = entries
  if (others.length === 0 && keyword && compositions.includes(keyword) && (value as Schema[]).length === 1) return (value as [Schema])[0]
  const unnamed = Object.fromEntries(((schema.required as string[] | undefined) ?? []).map(name => [name, {}]))
  const properties = { ...unnamed, ...(schema.properties as Schema | undefined) }
  return { ...Object.fromEntries(entries), ...(Object.keys(properties).length > 0 && { properties, additionalProperties: true }) }
}
