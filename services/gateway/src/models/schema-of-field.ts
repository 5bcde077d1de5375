import { type Field, FieldKind } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarValue } from '@filmgate/proto/scalar'
import type { Schema } from '../rules/json-schema'
import { mediaUrlPattern, privateUrlSchema } from '../rules/media-url'
import { visiblePattern } from '../rules/visible-text'

/** A field as JSON Schema 2020-12. What it can't say of a text (trimming) is a published rule. */
export function schemaOfField(field: Field): Schema {
  const fallback = field.default && scalarValue(field.default)
  return { ...typeSchema(field), ...(fallback !== undefined && { default: fallback }) }
}

function typeSchema(field: Field): Schema {
  const range = { minimum: Number(field.min), maximum: Number(field.max) }
  const items = { ...(field.itemsMin > 0 && { minItems: field.itemsMin }), maxItems: field.itemsMax }
  switch (field.kind) {
    case FieldKind.TEXT:
      return { type: 'string', pattern: visiblePattern }
    case FieldKind.INTEGER:
      return field.integers.length > 0 ? { type: 'integer', enum: field.integers.map(Number) } : { type: 'integer', ...range }
    case FieldKind.BOOLEAN:
      return { type: 'boolean' }
    case FieldKind.CHOICE:
      return { type: 'string', enum: field.choices }
    case FieldKind.URL:
      return url(field)
    case FieldKind.URL_LIST:
      return { type: 'array', ...items, items: url(field) }
    case FieldKind.SECONDS_LIST:
      return { type: 'array', ...items, items: { type: 'integer', ...range } }
    case FieldKind.UNSPECIFIED:
      throw new Error(`field ${field.name} has no kind`)
  }
}

const url = (field: Field): Schema => ({
  type: 'string',
  maxLength: Number(field.max),
  pattern: mediaUrlPattern(field),
  not: privateUrlSchema(field),
})
