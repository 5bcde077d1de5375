import { number } from '../layout/numbers'
import { openingPrice } from './cheapest-model'
import type { Mode, Model, Property } from './model'

type Fact = [name: string, text: string]

const propertiesOf = (modes: Mode[], name: string): Property[] => modes.flatMap(({ schema }) => schema.properties[name] ?? [])

/** What a model takes and makes, over all its modes. */
export function factsOf(model: Model): Fact[] {
  const modes = Object.values(model.modes)
  const extras = [takesLastFrame(modes) && 'last frame', takesReferences(modes) && 'references'].filter(text => text !== false)
  const facts: [string, string | undefined][] = [
    ['Length', lengthText(propertiesOf(modes, 'duration'))],
    ['Resolution', distinct(propertiesOf(modes, 'resolution').flatMap(({ enum: values }) => values ?? [])).join(', ')],
    ['Sound', makesSound(modes) ? 'on request' : 'not on request'],
    ['Also takes', extras.join(', ')],
  ]
  return facts.filter((fact): fact is Fact => fact[1] !== undefined && fact[1] !== '')
}

/** `26 credits for 5 s at 720p`: what the form costs as it opens. Undefined without a price. */
export function priceText(model: Model): string | undefined {
  const price = openingPrice(model)
  if (!Number.isFinite(price)) return undefined
  const { duration, resolution } = model.modes[model.default_mode ?? '']?.schema.properties ?? {}
  const of = [
    duration?.default !== undefined && `for ${duration.default} s`,
    resolution?.default !== undefined && `at ${resolution.default}`,
  ].filter(text => text !== false)
  return [`${number(price)} ${price === 1 ? 'credit' : 'credits'}`, ...of].join(' ')
}

export const makesSound = (modes: Mode[]): boolean => propertiesOf(modes, 'generate_audio').length > 0
export const takesReferences = (modes: Mode[]): boolean =>
  ['reference_image_urls', 'reference_video_urls', 'reference_audio_urls'].some(name => propertiesOf(modes, name).length > 0)
const takesLastFrame = (modes: Mode[]): boolean => propertiesOf(modes, 'end_image_url').length > 0

/** Whether a mode of the model makes videos of so many seconds. */
export const makesLength = (modes: Mode[], seconds: number): boolean =>
  modes.some(({ schema }) => {
    const { duration } = schema.properties
    if (duration?.enum) return duration.enum.includes(seconds)
    return duration !== undefined && seconds >= (duration.minimum ?? 1) && seconds <= (duration.maximum ?? Number.POSITIVE_INFINITY)
  })

/** `4–15 s`, or `5, 10 s`. */
function lengthText(durations: Property[]): string | undefined {
  const values = distinct(durations.flatMap(({ enum: values }) => values ?? []).map(Number)).toSorted((a, b) => a - b)
  if (values.length > 0) return `${values.join(', ')} s`
  const [shortest, longest] = [
    Math.min(...durations.flatMap(({ minimum }) => minimum ?? [])),
    Math.max(...durations.flatMap(({ maximum }) => maximum ?? [])),
  ]
  return Number.isFinite(shortest) && Number.isFinite(longest) ? `${shortest}–${longest} s` : undefined
}

const distinct = <T>(values: T[]): T[] => [...new Set(values)]
