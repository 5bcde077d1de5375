import { type Field, FieldKind, type ModelCard, type ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarValue } from '@filmgate/proto/scalar'
import type { Catalog } from '../../../catalog/catalog-table'
import type { CompiledModel } from '../../../catalog/compile-card'
import { publishedRules } from '../../../models/published-rules'
import { schemaOfField } from '../../../models/schema-of-field'
import { schemaOfMode } from '../../../models/schema-of-mode'
import type { Schema } from '../../../rules/json-schema'
import { oneOf, ref, spelledOut } from './shape'
import { widestField } from './widest-field'

/** Choices that models share: one enum each, which a model narrows. */
const sharedChoices: Record<string, { name: string; description: string }> = {
  resolution: { name: 'Resolution', description: 'The size of a picture. Each model names those it takes.' },
  aspect_ratio: { name: 'AspectRatio', description: 'Width to height of a picture. Each model names those it takes.' },
}

/** `VideoGenerationRequest`, chosen by `model`, and a schema for each model. */
export function requestSchemas({ models, defaultModel }: Catalog): Record<string, Schema> {
  const cards = [...models.values()].map(({ card }) => card)
  const names = schemaNames(cards.map(({ model }) => model))
  const nameOf = (model: string) => names.get(model) ?? model
  const mapping = Object.fromEntries(cards.map(({ model }) => [model, `#/components/schemas/${nameOf(model)}`]))
  return {
    VideoGenerationRequest: {
      description: `What to generate; \`model\` chooses the shape. Where it is left out it is \`${defaultModel}\`: always send it.`,
      oneOf: cards.map(({ model }) => ref(nameOf(model))),
      discriminator: { propertyName: 'model', mapping },
    },
    ...Object.fromEntries([...models.values()].map(model => [nameOf(model.id), requestSchema(model, model.id === defaultModel)])),
    ...sharedEnums(cards),
  }
}

function sharedEnums(cards: ModelCard[]): Record<string, Schema> {
  const enums = Object.entries(sharedChoices).map(
    ([field, { name, description }]) => [name, oneOf(choicesOf(cards, field), description)] as const,
  )
  return Object.fromEntries(enums.filter(([, schema]) => (schema.enum as string[]).length > 0))
}

/** Of a model that no configured provider has. */
export const notAvailable = 'Not available here: no provider of it is configured.'

/** Every body of a model: its properties as wide as its widest mode, and what each mode narrows. */
function requestSchema({ card, available }: CompiledModel, modelOptional: boolean): Schema {
  const widest = fieldsOf(card)
  const modes = card.modes.map(({ name }) => name)
  const modeWords = card.defaultMode ? `Where it is left out it is \`${card.defaultMode}\`.` : 'Always required.'
  const properties: Schema = {
    model: { const: card.model, description: 'Chooses the model.' },
    mode: { ...ref('Mode', `What the video is made from. ${modeWords}`), enum: modes },
  }
  for (const field of widest) properties[field.name] = describedField(card, field)
  const always = widest.filter(({ name }) => card.modes.every(mode => mode.fields.some(field => field.name === name && field.required)))
  const required = [...(modelOptional ? [] : ['model']), ...(card.defaultMode ? [] : ['mode']), ...always.map(({ name }) => name)]
  return {
    type: 'object',
    description: [`A video by ${card.model}.`, ...(available ? [] : [notAvailable]), ...card.notes].join(' '),
    properties,
    required,
    additionalProperties: false,
    allOf: card.modes.map(mode => modeSchema(card, mode, widest, required)),
    'x-rules': publishedRules(card),
  }
}

/** What holds in one mode beside what holds in all of them. */
function modeSchema(card: ModelCard, mode: ModelMode, widest: Field[], always: string[]): Schema {
  const exact = schemaOfMode(card, mode, true)
  const own = exact.properties as Record<string, Schema>
  const narrowed: Schema = {}
  for (const field of widest) {
    const schema = own[field.name]
    if (!schema) narrowed[field.name] = false
    else if (JSON.stringify(schema) !== JSON.stringify(schemaOfField(field))) narrowed[field.name] = withoutDefault(schema)
  }
  const rules = exact.allOf as Schema[] | undefined
  const required = (exact.required as string[]).filter(name => name !== 'mode' && !always.includes(name))
  const demand = {
    ...(Object.keys(narrowed).length > 0 && { properties: narrowed }),
    ...(required.length > 0 && { required }),
    ...(rules && { allOf: rules }),
  }
  const unnamed = mode.name !== card.defaultMode && { required: ['mode'] }
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  return spelledOut({ if: { properties: { mode: { const: mode.name } }, ...unnamed }, then: demand })
}

/** Its meaning and defaults in words: a `default` would make generators call the property required. */
function describedField(card: ModelCard, field: Field): Schema {
  const { type, enum: values, ...rest } = withoutDefault(schemaOfField(field))
  const shared = field.kind === FieldKind.CHOICE ? sharedChoices[field.name] : undefined
  const description = [field.meaning, ...defaultWords(card, field.name)].filter(Boolean).join(' ')
  if (shared) return { ...ref(shared.name), enum: values, description }
  // Generators make a class of every enum of numbers; of constants they make literals.
  if (Array.isArray(values)) return { ...spelledOut({ anyOf: values.map(value => ({ type, const: value })) }), description }
  return { type, ...rest, description }
}

function defaultWords(card: ModelCard, name: string): string[] {
  const fields = card.modes.flatMap(mode => mode.fields.filter(field => field.name === name).map(field => ({ mode: mode.name, field })))
  const follows = fields.find(({ field }) => field.follows)
  if (follows) return [`Left out it is the sum of ${follows.field.follows}.`]
  const byDefault = Map.groupBy(
    fields.filter(({ field }) => field.default),
    ({ field }) => field.default && scalarValue(field.default),
  )
  if (byDefault.size <= 1) return [...byDefault.keys()].map(value => `Default: ${value}.`)
  return [`Default: ${[...byDefault].map(([value, of]) => `${value} in ${of.map(({ mode }) => mode).join(' and ')}`).join(', ')}.`]
}

/** Each field of any mode once, in the order in which the cards show them. */
function fieldsOf(card: ModelCard): Field[] {
  const byName = Map.groupBy(
    card.modes.flatMap(mode => mode.fields),
    field => field.name,
  )
  return [...byName.values()].map(widestField)
}

const withoutDefault = ({ default: _, ...schema }: Schema): Schema => schema

const choicesOf = (cards: ModelCard[], name: string): string[] => [
  ...new Set(cards.flatMap(card => fieldsOf(card).flatMap(field => (field.name === name ? field.choices : [])))),
]

/** "beta-2.0-fast" → "Beta20FastRequest"; where two models would share a name, the later has its number behind it. */
function schemaNames(models: string[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const model of models) {
    const plain = model
      .split('-')
      .map(word => word.replaceAll('.', ''))
      .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
      .join('')
    const taken = [...names.values()].includes(`${plain}Request`)
    names.set(model, taken ? `${plain}Model${names.size}Request` : `${plain}Request`)
  }
  return names
}
