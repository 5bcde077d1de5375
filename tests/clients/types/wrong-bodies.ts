import type { Schema } from '../../catalog/models/published-models'
import type { Random } from '../../support/random'
import { type Body, rightBody, type Subject } from './right-bodies'

export type WrongBody = { kind: Kind; body: Body }

type Mutation = (subject: Subject, body: Body, random: Random, everyField: string[]) => Body | undefined

/** One deliberate fault each; a mutation gives nothing where the body has no place for it. */
const mutations = {
  'a field that no model has': (_, body, random) => ({ ...body, [random.oneOf(['colour', 'duraton', 'image', 'callback_url'])]: 'red' }),
  'a field of another mode': ({ model, mode }, body, random) => {
    const others = Object.values(model.modes).flatMap(other => other.fields.filter(field => !mode.fields.includes(field)))
    return others.length === 0 ? undefined : withField(body, random.oneOf(others))
  },
  'a field of other models': ({ model }, body, random, everyField) => {
    const own = Object.values(model.modes).flatMap(mode => mode.fields)
    const others = everyField.filter(field => !own.includes(field))
    return others.length === 0 ? undefined : withField(body, random.oneOf(others))
  },
  'frames beside references': ({ name }, body) => {
    if (name === 'image-to-video') return withField(body, 'reference_video_urls')
    return name === 'media-to-video' ? withField(body, 'image_url') : undefined
  },
  'a required field left out': ({ mode }, body, random) => {
    const fields = required(mode.schema).filter(field => mode.fields.includes(field))
    return without(body, random.oneOf(fields))
  },
  'the mode left out': ({ model, mode }, body) => {
    const meant = model.modes[model.default_mode ?? '']?.fields ?? []
    const isOther = mode.fields.some(field => Object.hasOwn(body, field) && !meant.includes(field))
    return required(mode.schema).includes('mode') && isOther ? without(body, 'mode') : undefined
  },
  'a value that is not on the list': ({ mode }, body, random) => {
    const field = among(mode.schema, body, random, ({ type, enum: values }) => type === 'string' && values !== undefined)
    return field ? { ...body, [field]: random.oneOf(['640p', '5:4', '720P', '']) } : undefined
  },
  'a duration out of range': ({ mode }, body, random) => {
    const { minimum, maximum, enum: values } = properties(mode.schema).duration ?? {}
    const bounds = (values as number[] | undefined) ?? [minimum as number, maximum as number]
    return { ...body, duration: random.oneOf([Math.min(...bounds) - 1, Math.max(...bounds) + 1]) }
  },
  'half a second': (_, body) => ({ ...body, duration: 5.5 }),
  'a value of another type': ({ mode }, body, random) => {
    const field = among(mode.schema, body, random, schema => schema.type !== undefined)
    return field ? { ...body, [field]: ofAnotherType(body[field], random) } : undefined
  },
  null: (_, body, random) => ({ ...body, [random.oneOf(Object.keys(body))]: null }),
  'a list with an item of another type': ({ mode }, body, random) => {
    const field = among(mode.schema, body, random, ({ type }) => type === 'array')
    return field
      ? { ...body, [field]: [...(body[field] as unknown[]), typeof (body[field] as unknown[])[0] === 'number' ? 'x' : 7] }
      : undefined
  },
  'an unknown mode': (_, body, random) => ({ ...body, mode: random.oneOf(['audio-to-video', 'text_to_video', '']) }),
  'an unknown model': (_, body, random) => ({ ...body, model: random.oneOf(['alpha-h4', 'sora-2', '']) }),
  'no reference at all': ({ name, mode }, body) =>
    name === 'media-to-video' ? without(body, ...mode.fields.filter(field => field.startsWith('reference_'))) : undefined,
  'files without their lengths': (_, body, random) => {
    const lengths = Object.keys(body).filter(field => field.endsWith('_durations'))
    return lengths.length === 0 ? undefined : without(body, random.oneOf(lengths))
  },
  'lengths without their files': ({ mode }, body, random) => {
    const lengths = mode.fields.filter(field => field.endsWith('_durations') && !Object.hasOwn(body, field))
    return lengths.length === 0 ? undefined : { ...body, [random.oneOf(lengths)]: [5] }
  },
  'values that do not go together': ({ model, mode }, body, random) => {
    // A sum with the duration is no union.
    if (model.rules.some(({ left }) => JSON.stringify(left ?? []).includes('"duration"'))) return undefined
    const narrowing = ['duration', 'resolution', 'generate_audio'].filter(field => mode.fields.includes(field))
    const changed = { ...body }
    for (const field of narrowing) changed[field] = random.oneOf(valuesOf(properties(mode.schema)[field] ?? {}))
    return changed
  },
} satisfies Record<string, Mutation>

export type Kind = keyof typeof mutations
export const kinds = Object.keys(mutations) as Kind[]

/** Rules between fields: unions say them in TypeScript. In Python only a comment does. */
export const kindsOfUnions: Kind[] = [
  'no reference at all',
  'files without their lengths',
  'lengths without their files',
  'values that do not go together',
]

const triesMax = 300

/** A wrong body made from a right one by one fault; undefined where the mode has no place for the fault. */
export function wrongBody(
  kind: Kind,
  subject: Subject,
  { random, everyField, isRight }: { random: Random; everyField: string[]; isRight(body: Body): boolean },
): WrongBody | undefined {
  const mutate: Mutation = mutations[kind]
  for (let tries = 0; tries < triesMax; tries += 1) {
    const body = mutate(subject, rightBody(subject, random, isRight), random, everyField)
    if (body && !isRight(body)) return { kind, body }
  }
  return undefined
}

const properties = (schema: Schema) => schema.properties as Record<string, Schema>
const required = (schema: Schema) => schema.required as string[]

function without(body: Body, ...fields: string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)))
}

function withField(body: Body, field: string): Body {
  if (field.endsWith('_durations')) return { ...body, [field]: [5] }
  if (field.endsWith('_urls')) return { ...body, [field]: ['https://media.example.com/1.jpg'] }
  if (field.endsWith('_url')) return { ...body, [field]: 'https://media.example.com/1.jpg' }
  return { ...body, [field]: field === 'seed' ? 7 : true }
}

/** A field that the body has, and whose schema is so. */
function among(schema: Schema, body: Body, random: Random, isSo: (schema: Schema) => boolean): string | undefined {
  const fields = Object.keys(body).filter(field => isSo(properties(schema)[field] ?? {}))
  return fields.length === 0 ? undefined : random.oneOf(fields)
}

function ofAnotherType(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value[0]
  if (typeof value === 'string') return random.oneOf<unknown>([7, true, [value]])
  return typeof value === 'number' ? String(value) : 'yes'
}

function valuesOf({ enum: values, type, minimum, maximum }: Schema): unknown[] {
  if (values) return values as unknown[]
  return type === 'boolean' ? [true, false] : [minimum, maximum]
}
