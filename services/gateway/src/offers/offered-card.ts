import { create, toBinary } from '@bufbuild/protobuf'
import {
  type Field,
  type ModelCard,
  ModelCardSchema,
  type ModelMode,
  ModelModeSchema,
  type Rule,
  RuleSchema,
} from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { type ModelOffer, ModelOfferSchema, type UnofferedValues } from '@filmgate/proto/gen/filmgate/v1/offers_pb'
import { offeredField } from './offered-field'

export type OfferedCard = { card: ModelCard; available: boolean }

/**
 * A card without what no configured provider has a mapping for, so that checks, schemas, the reference and the list of models say so alike. A card
 * of which nothing was heard is offered whole; one that no provider has is shown whole and isn't available.
 */
export function offeredCard(card: ModelCard, offer: ModelOffer | undefined): OfferedCard {
  if (!offer?.available) return { card, available: offer === undefined }
  if (offer.unoffered.length === 0) return { card, available: true }
  const modes = card.modes.flatMap(mode =>
    offeredMode(
      mode,
      offer.unoffered.filter(one => one.mode === mode.name),
    ),
  )
  if (modes.length === 0) return { card, available: false }
  const defaultMode = modes.some(({ name }) => name === card.defaultMode) ? card.defaultMode : ''
  const cardVersion = `${card.cardVersion}-${digestOf(offer)}`
  const capabilities = offeredCapabilities(card, modes, offer.unoffered)
  return { card: create(ModelCardSchema, { ...card, modes, defaultMode, cardVersion, capabilities }), available: true }
}

/** None where nothing can be asked in it. */
function offeredMode(mode: ModelMode, unoffered: UnofferedValues[]): ModelMode[] {
  if (unoffered.length === 0) return [mode]
  if (unoffered.some(({ field }) => field === '')) return []
  const narrowed = mode.fields.map(field => {
    const own = unoffered.find(one => one.field === field.name)
    return { field, left: own ? offeredField(field, own) : field }
  })
  const gone = narrowed.flatMap(({ field, left }) => (left ? [] : [field]))
  if (gone.some(field => field.required || field.default)) return []
  const names = new Set(gone.map(({ name }) => name))
  const fields = narrowed.flatMap(({ left }) => (left && !names.has(left.secondsOf) ? [left] : []))
  const rules = unoffered.flatMap(({ field, booleans }) => booleans.map(without => booleanRule(field, !without)))
  return [create(ModelModeSchema, { ...mode, fields, rules: [...mode.rules, ...rules] })]
}

/** A field of the kind has no list of its values that could be shortened. */
const booleanRule = (field: string, value: boolean): Rule =>
  create(RuleSchema, {
    name: 'not_offered',
    requireAll: [{ field, test: { case: 'oneOf', value: { values: [{ value: { case: 'boolean', value } }] } } }],
  })

/**
 * A capability goes with the last of its fields. Cards of a catalog that doesn't say which fields those are keep it: that catalog's next
 * version publishes them anew.
 */
function offeredCapabilities(card: ModelCard, modes: ModelMode[], unoffered: UnofferedValues[]): string[] {
  const isOff = (mode: ModelMode, field: Field) =>
    unoffered.some(one => one.mode === mode.name && one.field === field.name && one.booleans.includes(true))
  const left = new Set(modes.flatMap(mode => mode.fields.flatMap(field => (isOff(mode, field) ? [] : [field.capability]))))
  const all = new Set(card.modes.flatMap(({ fields }) => fields.map(({ capability }) => capability)))
  return card.capabilities.filter(capability => left.has(capability) || !all.has(capability))
}

const digestOf = (offer: ModelOffer): string => Bun.hash(toBinary(ModelOfferSchema, offer)).toString(16).padStart(16, '0').slice(0, 8)
