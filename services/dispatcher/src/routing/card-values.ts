import { type Field, FieldKind, type ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { FieldMappings } from '../providers/mapping/field-mapping'
import { takesMedia, takesValue } from '../providers/mapping/request-fields'
import type { ConfiguredRoute } from './routing'
import { takesMode, withResolution } from './routing'

/** One value that a card lets clients ask for. `characters`: of a text, how long. `media`: how many files. `kind`: one that nothing here knows. */
export type CardValue = { mode: string; field: string } & (
  | { value: string | number | boolean }
  | { characters: number }
  | { media: number }
  | { kind: number }
)

/** The gateway judges it: no order carries it. */
const priceLimit = 'max_credits'

/** Of a longer range the ends alone are values. */
const rangeMax = 100

/** What a card offers and a route has no mapping for, each value by its name: `text-to-video resolution 4k`, or `mode media-to-video` alone. */
export function lackingAt(route: ConfiguredRoute, card: ModelCard): string[] {
  const fields = withResolution(route.fields, route.model)
  return card.modes.flatMap(mode => {
    if (!takesMode(route, mode.name)) return [`mode ${mode.name}`]
    return mode.fields
      .flatMap(field => valuesOf(mode.name, field))
      .filter(value => !isMapped(fields, value))
      .map(nameOf)
  })
}

/** Whether a name of `lackingAt` is among what may be lacking: by its mode, its field and its value, or by fewer of these. */
export function mayLack(lacks: string[], name: string): boolean {
  const [mode = '', field = '', ...value] = name.split(' ')
  return [name, [field, ...value].join(' '), `${mode} ${field}`, field].some(one => lacks.includes(one))
}

/** A mode that another route serves is not lacking: its values are looked for there. */
export function lackingEverywhere(routes: ConfiguredRoute[], card: ModelCard): string[] {
  const lists = routes.map(route => lackingAt(route, card))
  const [first = [], ...others] = lists
  const isLacking = (name: string, list: string[]) => list.includes(name) || list.includes(`mode ${modeOf(name)}`)
  const all = new Set([...first, ...others.flat()])
  return [...all].filter(name => lists.every(list => isLacking(name, list)))
}

const modeOf = (name: string): string => (name.startsWith('mode ') ? name.slice('mode '.length) : (name.split(' ')[0] ?? ''))

function isMapped(fields: FieldMappings, one: CardValue): boolean {
  if ('media' in one) return takesMedia(fields, one.field, one.media)
  if ('kind' in one) return false
  return takesValue(fields, one.field, 'characters' in one ? 'x'.repeat(one.characters) : one.value)
}

/** A value as faults and the routing files' `lacks` name it. */
export const nameOf = ({ mode, field, ...one }: CardValue): string => `${mode} ${field} ${Object.values(one)[0]}`

/** Whether `valuesOf` has a field's ends alone, so that what lies between them is judged by bounds. */
export const hasEndsAlone = ({ kind, integers, min = 0n, max = 0n }: Field): boolean =>
  kind === FieldKind.TEXT ||
  kind === FieldKind.URL_LIST ||
  (kind === FieldKind.INTEGER && integers.length === 0 && max - min >= BigInt(rangeMax))

/** Every value of a field; of a text, a long range and a list of files the ends alone. Seconds of files go with these. */
export function valuesOf(mode: string, field: Field): CardValue[] {
  const { name, kind } = field
  if (name === priceLimit) return []
  const each = (values: (string | number | boolean)[]) => values.map(value => ({ mode, field: name, value }))
  switch (kind) {
    case FieldKind.TEXT:
      return [{ mode, field: name, characters: Number(field.max ?? 1) }]
    case FieldKind.INTEGER:
      return each(integersOf(field))
    case FieldKind.BOOLEAN:
      return each([true, false])
    case FieldKind.CHOICE:
      return each(choicesOf(field))
    case FieldKind.URL:
      return [{ mode, field: name, media: 1 }]
    case FieldKind.URL_LIST:
      return [{ mode, field: name, media: field.itemsMax }]
    case FieldKind.SECONDS_LIST:
      return []
    default:
      return [{ mode, field: name, kind }]
  }
}

function integersOf(field: Field): number[] {
  const { integers, min = 0n, max = 0n } = field
  if (integers.length > 0) return integers.map(Number)
  if (hasEndsAlone(field)) return [Number(min), Number(max)]
  return Array.from({ length: Number(max - min) + 1 }, (_, at) => Number(min) + at)
}

/** A ratio that nobody names is "adaptive" in the order. */
const choicesOf = (field: Field): string[] =>
  field.name === 'aspect_ratio' && !field.default && !field.choices.includes('adaptive') ? [...field.choices, 'adaptive'] : field.choices
