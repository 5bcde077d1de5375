import type { ModelCard, ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { Schema } from '../rules/json-schema'
import { schemaOfRule } from '../rules/schema-of-rule'
import { schemaOfField } from './schema-of-field'

/** Every body of a model's mode as JSON Schema 2020-12. `modelOptional`: the model of a request that names none. */
export function schemaOfMode(card: ModelCard, mode: ModelMode, modelOptional: boolean): Schema {
  const properties: Schema = { model: { const: card.model }, mode: { const: mode.name } }
  for (const field of mode.fields) properties[field.name] = schemaOfField(field)
  const required = [
    ...(modelOptional ? [] : ['model']),
    ...(mode.name === card.defaultMode ? [] : ['mode']),
    ...mode.fields.filter(field => field.required).map(field => field.name),
  ]
  const rules = mode.rules.flatMap(rule => schemaOfRule(rule, mode) ?? [])
  return { type: 'object', properties, required, additionalProperties: false, ...(rules.length > 0 && { allOf: rules }) }
}
