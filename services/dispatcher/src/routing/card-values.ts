import type { Field, ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { takesMedia } from '../makers/words/request-fields'
import { type Words, wireValue, wordFor } from '../makers/words/words'
import type { ConfiguredRoute } from './routing'
import { withResolution } from './routing'

/** One value that a card lets clients ask for. `media`: how many files. */
export type CardValue = { mode: string; field: string } & ({ value: string | number | boolean } | { media: number })

/** Sent on with what else is said (`max_credits`), or measured by us (`_durations`). */
const unsaid = /^max_credits$|_durations$/

/** What a card offers and a route has no word for, each value by its name: `text-to-video resolution 4k`, or `mode media-to-video` alone. */
export function lackingAt(route: ConfiguredRoute, card: ModelCard): string[] {
  if (!route.words) return route.connector.unmapped?.(card) ?? []
  const words = withResolution(route.words, route.model)
  return card.modes.flatMap(mode => {
    if (mode.name !== route.mode) return [`mode ${mode.name}`]
    return mode.fields
      .flatMap(field => valuesOf(mode.name, field))
      .filter(value => !hasWord(words, value))
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

function hasWord(words: Words, one: CardValue): boolean {
  if ('media' in one) return takesMedia(words, one.field, one.media)
  const word = wordFor(words, one.field)
  return word !== undefined && wireValue(word, one.value) !== undefined
}

/** A value as faults and the routing file's `lacks` name it. */
export const nameOf = (one: CardValue): string =>
  `${one.mode} ${one.field} ${'media' in one ? one.media : one.field === 'prompt' ? String(one.value).length : one.value}`

/** Every value of a field; of a text, a seed and a list of files the ends alone. */
export function valuesOf(mode: string, field: Field): CardValue[] {
  const { name } = field
  if (unsaid.test(name)) return []
  if (name.endsWith('_url')) return [{ mode, field: name, media: 1 }]
  if (name.endsWith('_urls')) return [{ mode, field: name, media: field.itemsMax }]
  if (name === 'prompt') return [{ mode, field: name, value: 'x'.repeat(Number(field.max ?? 1)) }]
  if (name === 'duration') return integersOf(field).map(value => ({ mode, field: name, value }))
  if (field.choices.length > 0) return choicesOf(field).map(value => ({ mode, field: name, value }))
  if (name === 'seed') return [Number(field.min ?? 0), Number(field.max ?? 0)].map(value => ({ mode, field: name, value }))
  return [true, false].map(value => ({ mode, field: name, value }))
}

const integersOf = ({ integers, min, max }: Field): number[] =>
  integers.length > 0
    ? integers.map(Number)
    : Array.from({ length: Number(max ?? 0) - Number(min ?? 0) + 1 }, (_, at) => Number(min ?? 0) + at)

/** A ratio that nobody names is "adaptive" in the order. */
const choicesOf = (field: Field): string[] =>
  field.name === 'aspect_ratio' && !field.default && !field.choices.includes('adaptive') ? [...field.choices, 'adaptive'] : field.choices
