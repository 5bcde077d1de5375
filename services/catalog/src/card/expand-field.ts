import type { MessageInitShape } from '@bufbuild/protobuf'
import { FieldKind, type FieldSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarOf } from '@filmgate/proto/scalar'
import type { CardField } from './card-file'
import { fieldVocabulary } from './field-vocabulary'

export type ReportFault = (field: string, message: string) => void
type Scalar = string | number | boolean

/** A card's field completed from the contract, or undefined if the contract has no such field. */
export function expandField(name: string, given: CardField, fields: Record<string, CardField>, report: ReportFault) {
  const meaning = fieldVocabulary[name]
  if (!meaning) return undefined
  const { kind } = meaning
  const min = given.min ?? meaning.min
  const max = given.max ?? meaning.max
  const texts = (given.one_of ?? []).filter(value => typeof value === 'string')
  const numbers = (given.one_of ?? []).filter(value => typeof value === 'number')
  const itemsMax = given.items_max ?? (meaning.secondsOf ? fields[meaning.secondsOf]?.items_max : undefined)
  const fallback = given.default ?? meaning.default
  checkField({ ...given, min, max, items_max: itemsMax, default: fallback }, kind, report)
  if (meaning.secondsOf && !fields[meaning.secondsOf])
    report('', `declares the lengths of ${meaning.secondsOf}, which this mode does not have`)
  return {
    name,
    kind,
    required: given.required ?? name === 'prompt',
    min: min === undefined ? undefined : BigInt(min),
    max: max === undefined ? undefined : BigInt(max),
    choices: texts,
    integers: numbers.map(BigInt),
    itemsMin: given.items_min ?? 0,
    itemsMax: itemsMax ?? 0,
    ...(fallback !== undefined && { default: scalarOf(fallback) }),
    mediaKind: meaning.mediaKind,
    secondsOf: meaning.secondsOf ?? '',
    follows: given.follows ?? '',
    meaning: meaning.meaning,
    capability: meaning.capability ?? '',
  } satisfies MessageInitShape<typeof FieldSchema>
}

/** The properties that a card may set for each kind of field. */
const allowed: Record<FieldKind, (keyof CardField)[]> = {
  [FieldKind.UNSPECIFIED]: [],
  [FieldKind.TEXT]: ['min', 'max'],
  [FieldKind.INTEGER]: ['min', 'max', 'one_of', 'default', 'follows'],
  [FieldKind.BOOLEAN]: ['default'],
  [FieldKind.CHOICE]: ['one_of', 'default'],
  [FieldKind.URL]: ['max'],
  [FieldKind.URL_LIST]: ['max', 'items_min', 'items_max'],
  [FieldKind.SECONDS_LIST]: ['min', 'max', 'items_min', 'items_max', 'sum_max'],
}

function checkField(field: CardField, kind: FieldKind, report: ReportFault): void {
  for (const property of Object.keys(field) as (keyof CardField)[]) {
    if (field[property] !== undefined && property !== 'required' && !allowed[kind].includes(property))
      report(property, `does not apply to a field of kind ${FieldKind[kind]}`)
  }
  const ranged = kind === FieldKind.SECONDS_LIST || (kind === FieldKind.INTEGER && !field.one_of)
  if (ranged && (field.min === undefined || field.max === undefined)) report('', 'needs min and max')
  if (field.min !== undefined && field.max !== undefined && field.min > field.max) report('min', `${field.min} is above max ${field.max}`)
  if (kind === FieldKind.CHOICE && !field.one_of) report('', 'needs one_of')
  const wanted = kind === FieldKind.CHOICE ? 'string' : 'number'
  if (field.one_of?.some(value => typeof value !== wanted)) report('one_of', `must hold ${wanted}s only`)
  const isList = kind === FieldKind.URL_LIST || kind === FieldKind.SECONDS_LIST
  if (isList && field.items_max === undefined) report('', 'needs items_max')
  if (isList && (field.items_min ?? 0) > (field.items_max ?? Infinity)) report('items_min', 'is above items_max')
  if (field.default !== undefined && !isLegal(field.default, field, kind))
    report('default', `${JSON.stringify(field.default)} is not a legal value`)
  if (field.default !== undefined && field.follows) report('follows', 'can’t be combined with a default')
  if (field.required && field.default !== undefined && kind !== FieldKind.BOOLEAN) report('required', 'can’t be combined with a default')
}

/** Whether a request could send this value for the field. */
export function isLegal(value: Scalar, field: Pick<CardField, 'min' | 'max' | 'one_of'>, kind: FieldKind): boolean {
  if (kind === FieldKind.BOOLEAN) return typeof value === 'boolean'
  if (kind === FieldKind.CHOICE) return typeof value === 'string' && !!field.one_of?.includes(value)
  if (kind !== FieldKind.INTEGER || typeof value !== 'number') return false
  return field.one_of ? field.one_of.includes(value) : value >= (field.min ?? -Infinity) && value <= (field.max ?? Infinity)
}
