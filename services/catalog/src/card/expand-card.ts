import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { nearestWord } from '@filmgate/kit/nearest-word'
import { FieldKind, type ModelCard, ModelCardSchema, type ModelModeSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { CardField, CardFile, CardMode } from './card-file'
import { expandField, type ReportFault } from './expand-field'
import { expandRule, impliedRules } from './expand-rule'
import { fieldVocabulary, modeNames } from './field-vocabulary'
import { mediaLimits } from './media-limits'

/** Fields that every model has without naming them. */
const commonFields: Record<string, CardField> = { prompt: {}, max_credits: {} }

/** Expands a card file to the published card, without versions and prices. Reports each fault with its field. */
export function expandCard(file: CardFile, report: ReportFault): ModelCard {
  const modes = Object.entries(file.modes).map(([name, mode]) => {
    if (!(modeNames as readonly string[]).includes(name)) report(`modes.${name}`, `must be one of ${modeNames.join(', ')}`)
    return expandMode(name, mode, file, (field, message) => report(`modes.${name}${field && `.${field}`}`, message))
  })
  if (file.default_mode !== undefined && !file.modes[file.default_mode])
    report('default_mode', `${file.default_mode} is not one of the card's modes`)
  return create(ModelCardSchema, {
    model: file.model,
    family: file.family,
    modes,
    defaultMode: file.default_mode ?? '',
    capabilities: capabilitiesOf(modes),
    notes: file.notes ?? [],
  })
}

function expandMode(name: string, mode: CardMode, file: CardFile, report: ReportFault): MessageInitShape<typeof ModelModeSchema> {
  const given = { ...commonFields, ...file.fields, ...mode.fields }
  for (const field of Object.keys(given)) {
    if (fieldVocabulary[field]) continue
    const suggestion = nearestWord(field, Object.keys(fieldVocabulary))
    report(`fields.${field}`, `is not a field of the contract${suggestion ? `; did you mean ${suggestion}` : ''}`)
  }
  // In the vocabulary's order, so that all cards, schemas and pages list fields alike.
  const fields: Record<string, CardField> = {}
  for (const field of Object.keys(fieldVocabulary)) if (given[field]) fields[field] = given[field]
  for (const field of ['duration', 'resolution']) if (!fields[field]) report(`fields.${field}`, 'is missing')

  const expanded = Object.entries(fields).flatMap(([field, value]) => {
    const made = expandField(field, value, fields, (property, message) => report(`fields.${field}${property && `.${property}`}`, message))
    return made ? [made] : []
  })
  for (const [field, { follows }] of Object.entries(fields)) {
    if (follows && !(fields[follows] && fieldVocabulary[follows]?.kind === FieldKind.SECONDS_LIST))
      report(`fields.${field}.follows`, `${follows} is not a list of seconds of this mode`)
  }
  const hasLists = Object.keys(fields).some(field => fieldVocabulary[field]?.kind === FieldKind.URL_LIST)
  if ((mode.references_min || mode.references_max) && !hasLists) report('references_min', 'this mode has no list of references')
  const duration = fields.duration
  if (duration && !duration.required && duration.default === undefined && !duration.follows)
    report('fields.duration', 'needs a default or follows, or must be required: the price depends on it')
  const rules = [...(file.rules ?? []), ...(mode.rules ?? [])].map(rule =>
    expandRule(rule, fields, (property, message) => report(`rules.${rule.name}${property && `.${property}`}`, message)),
  )
  const sums = new Map(Object.entries(fields).flatMap(([field, { sum_max }]) => (sum_max === undefined ? [] : [[field, sum_max] as const])))
  return { name, fields: expanded, rules: [...impliedRules(mode, fields), ...rules], mediaLimits: mediaLimits(expanded, sums) }
}

/** Capabilities of all modes' fields, in the vocabulary's order. */
function capabilitiesOf(modes: MessageInitShape<typeof ModelModeSchema>[]): string[] {
  const own = new Set(modes.flatMap(({ fields = [] }) => fields.map(({ capability }) => capability)))
  return Object.values(fieldVocabulary).flatMap(({ capability }) => (capability && own.has(capability) ? [capability] : []))
}
