import { type Field, FieldKind, type ModelCard, type ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { scalarValue } from '@filmgate/proto/scalar'
import type { Values } from '../../issues/issue'

const prompts: Record<string, string> = {
  'text-to-video': 'A paper boat drifts down a rainy street at dusk, slow tracking shot',
  'image-to-video': 'The camera slowly pushes in while leaves blow across the frame',
  'media-to-video': 'The character from the reference walks through a neon market at night',
}
const files: Record<number, string> = {
  [MediaKind.IMAGE]: 'https://example.com/image.png',
  [MediaKind.VIDEO]: 'https://example.com/clip.mp4',
  [MediaKind.AUDIO]: 'https://example.com/track.mp3',
}

/** A request that this mode accepts, showing the fields a reader will want to change. */
export function exampleOf(card: ModelCard, mode: ModelMode): Values {
  const body: Values = { model: card.model, mode: mode.name, prompt: promptOf(mode) }
  const needed = new Set([...mode.fields.filter(field => field.required).map(field => field.name), ...someOf(mode)])
  for (const field of mode.fields) {
    if (field.name === 'prompt') continue
    if (needed.has(field.name)) body[field.name] = exampleValue(field)
    else if (field.name === 'duration' && !field.follows) body.duration = exampleValue(field)
    else if (['resolution', 'aspect_ratio'].includes(field.name)) body[field.name] = exampleValue(field)
  }
  return { ...body, ...demandedValues(mode, body) }
}

/** Cut where a model takes only a short one. */
function promptOf(mode: ModelMode): string {
  const charactersMax = Number(mode.fields.find(field => field.name === 'prompt')?.max ?? 0)
  return (prompts[mode.name] ?? '').slice(0, charactersMax)
}

/** Where one of several fields is needed, the first. */
const someOf = (mode: ModelMode): string[] =>
  mode.rules
    .filter(rule => rule.when.length === 0)
    .flatMap(({ requireAny }) => requireAny.find(({ field }) => mode.fields.some(({ name }) => name === field))?.field ?? [])

/** What a rule that always holds leaves of a value that is shown. */
const demandedValues = (mode: ModelMode, body: Values): Values =>
  Object.fromEntries(
    mode.rules
      .filter(rule => rule.when.length === 0)
      .flatMap(rule => rule.requireAll)
      .flatMap(({ field, test }) => {
        const [only, ...others] = test.case === 'oneOf' ? test.value.values : []
        return only && others.length === 0 && Object.hasOwn(body, field) ? [[field, scalarValue(only)]] : []
      }),
  )

function exampleValue(field: Field): unknown {
  if (field.default) return scalarValue(field.default)
  switch (field.kind) {
    case FieldKind.URL:
      return files[field.mediaKind]
    case FieldKind.URL_LIST:
      return Array.from({ length: Math.max(1, field.itemsMin) }, () => files[field.mediaKind])
    case FieldKind.SECONDS_LIST:
      return Array.from({ length: Math.max(1, field.itemsMin) }, () => Math.min(5, Number(field.max)))
    case FieldKind.CHOICE:
      return field.choices[0]
    case FieldKind.BOOLEAN:
      return false
    case FieldKind.INTEGER:
      return Number(field.integers[0] ?? field.min)
    default:
      return 'text'
  }
}
