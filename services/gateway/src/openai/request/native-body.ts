import { FieldKind } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { Catalog } from '../../catalog/catalog-table'
import type { CompiledModel } from '../../catalog/compile-card'
import type { Issue, Values } from '../../issues/issue'
import { show } from '../../issues/wording'
import { frameOf } from './sizes'

/** The body of POST /video/generations that fields of OpenAI's mean, and what of them means none. */
export type NativeBody = {
  body: Values
  issues: Issue[]
  /** OpenAI's name of each native field that came under one. */
  names: Record<string, string>
}

/** OpenAI's fields that stand for native ones; whoever sends one does not send the others. */
const meanings = { seconds: ['duration'], size: ['resolution', 'aspect_ratio'], input_reference: ['image_url'] } as const
type Meant = keyof typeof meanings

/** Every native field is taken beside OpenAI's own; the model's card says what `seconds` and `size` are. */
export function nativeBody(catalog: Catalog, given: Values): NativeBody {
  const { seconds, size, input_reference, ...others } = given
  const body: Values = others
  const issues = twiceSaid(given)
  const names: Record<string, string> = {}
  const name = (meant: Meant) => {
    for (const native of meanings[meant]) names[native] = meant
  }
  if (input_reference !== undefined) {
    body.image_url = urlOf(input_reference, issues)
    if (!Object.hasOwn(body, 'mode')) body.mode = 'image-to-video'
    name('input_reference')
  }
  if (seconds !== undefined) {
    body.duration = typeof seconds === 'string' && /^\d{1,9}$/.test(seconds) ? Number(seconds) : seconds
    name('seconds')
  }
  if (size !== undefined) {
    Object.assign(body, framed(modelOf(catalog, body), body.mode, size, issues))
    name('size')
  }
  return { body, issues, names }
}

export function modelOf(catalog: Catalog, { model = catalog.defaultModel }: Values): CompiledModel | undefined {
  return typeof model === 'string' ? catalog.models.get(model) : undefined
}

const twiceSaid = (given: Values): Issue[] =>
  Object.entries(meanings).flatMap(([name, natives]) =>
    natives
      .filter(native => Object.hasOwn(given, name) && Object.hasOwn(given, native))
      .map(native => ({ path: name, rule: 'given_twice', message: `${name} and ${native} mean the same: send one of them` })),
  )

/** A picture as OpenAI's clients name one: `{image_url}`, or its URL alone. A file was put in storage and is a URL by now. */
function urlOf(reference: unknown, issues: Issue[]): unknown {
  if (typeof reference !== 'object' || reference === null || Array.isArray(reference)) return reference
  const { image_url, ...others } = reference as Values
  for (const other of Object.keys(others).slice(0, 1))
    issues.push({
      path: 'input_reference',
      rule: 'unsupported_field',
      message: `input_reference must be a file or have an image_url, and has ${show(other)}`,
    })
  return image_url
}

function framed(model: CompiledModel | undefined, named: unknown, size: unknown, issues: Issue[]): Values {
  const mode = model?.modes.get(typeof named === 'string' ? named : model.card.defaultMode)
  // Without a model or a mode there is nothing to look in, and the model's own check says so.
  if (!model || !mode) return {}
  const frame = typeof size === 'string' ? frameOf(mode.mode, size) : frameOf(mode.mode, '')
  if (!('sizes' in frame)) return frame
  issues.push({
    path: 'size',
    rule: 'enum',
    message: `size must be ${frame.sizes} in ${mode.name} of ${model.id}, and is ${show(size)}`,
  })
  return {}
}

const readers: Partial<Record<FieldKind, (text: string) => unknown>> = {
  [FieldKind.INTEGER]: text => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  [FieldKind.SECONDS_LIST]: text => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  [FieldKind.BOOLEAN]: text => ({ true: true, false: false })[text] ?? text,
}

/** The values of a form, which are all texts, as the model's card has them. */
export function typedByCard(model: CompiledModel | undefined, texts: Values): Values {
  const kinds = new Map(model?.card.modes.flatMap(({ fields }) => fields.map(({ name, kind }) => [name, kind] as const)))
  const typed = (value: unknown, read: (text: string) => unknown): unknown =>
    Array.isArray(value) ? value.map(each => typed(each, read)) : typeof value === 'string' ? read(value) : value
  return Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, typed(value, readers[kinds.get(name) ?? FieldKind.UNSPECIFIED] ?? (text => text))]),
  )
}
