import type { PublishedCatalog, PublishedMode, PublishedModel, Schema } from '../../catalog/models/published-models'
import type { Random } from '../../support/random'

export type Body = Record<string, unknown>
/** A mode of a model, as GET /models publishes it. */
export type Subject = { model: PublishedModel; name: string; mode: PublishedMode }

export const subjectsOf = (catalog: PublishedCatalog): Subject[] =>
  catalog.data.flatMap(model => Object.entries(model.modes).map(([name, mode]) => ({ model, name, mode })))

const triesMax = 500

/** A body that the published schema and rules take. Lists have items: a type can't tell an empty one from a full one. */
export function rightBody(subject: Subject, random: Random, isRight: (body: Body) => boolean): Body {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const body = someBody(subject, random)
    if (isRight(body)) return body
  }
  throw new Error(`no right body of ${subject.model.id} ${subject.name} in ${triesMax} tries`)
}

function someBody({ model, name, mode }: Subject, random: Random): Body {
  const properties = mode.schema.properties as Record<string, Schema>
  const required = mode.schema.required as string[]
  const body: Body = {}
  if (!model.default || chance(random, 0.5)) body.model = model.id
  if (required.includes('mode') || chance(random, 0.5)) body.mode = name
  for (const field of mode.fields) {
    const isTaken = required.includes(field) || chance(random, 0.4)
    if (isTaken && !field.endsWith('_durations')) body[field] = legalValue(properties[field] ?? {}, random)
  }
  for (const field of mode.fields) {
    const files = body[field.replace('_durations', '_urls')]
    if (field.endsWith('_durations') && Array.isArray(files))
      body[field] = files.map(() => legalValue(properties[field]?.items as Schema, random))
  }
  return body
}

function legalValue(schema: Schema, random: Random): unknown {
  const between = (min: number, max: number) => Math.floor(random.between(min, max + 1))
  if (schema.enum) return random.oneOf(schema.enum as unknown[])
  if (schema.type === 'boolean') return chance(random, 0.5)
  if (schema.type === 'integer') return between(schema.minimum as number, Math.min(schema.maximum as number, 2 ** 31 - 1))
  if (schema.type === 'array') {
    const count = between(1, Math.min(3, schema.maxItems as number))
    return Array.from({ length: count }, () => legalValue(schema.items as Schema, random))
  }
  if (schema.maxLength !== undefined) return `https://media.example.com/${between(1, 1e6)}.jpg`
  return random.oneOf(['A paper boat.', 'Ein Boot aus Papier: „schwimmt“', '紙の船', "a boat's 'wake'\nat dawn"])
}

const chance = (random: Random, share: number): boolean => random.between(0, 1) < share
