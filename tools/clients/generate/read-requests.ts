import { refName, type Schema, type Schemas } from './document'
import { pascalCase } from './read-answers'
import { type Alternative, readRules } from './read-rules'
import { type Property, type Shape, shapeOf } from './shape'

/** A model's requests: one type a mode. */
export type RequestModel = { name: string; model: string; isDefault: boolean; description: string; modes: RequestMode[] }
export type RequestMode = {
  typeName: string
  name: string
  /** It is meant where a request names none. */
  isDefault: boolean
  fields: Property[]
  /** Of each list one alternative holds, beside the fields. */
  choices: Alternative[][]
  /** Every rule in words, and whether `choices` hold it. */
  rules: { words: string; isChoice: boolean }[]
}

/** What a field means with every model. */
export type Vocabulary = Map<string, { shape: Shape; required: boolean; description: string }>

const notFields = ['model', 'mode']

export function readRequests(schemas: Schemas): { models: RequestModel[]; vocabulary: Vocabulary } {
  const mapping = schemas.VideoGenerationRequest?.discriminator?.mapping ?? {}
  const requests = Object.entries(mapping).map(([model, ref]) => {
    const schema = schemas[refName(ref)]
    if (!schema) throw new Error(`${ref} is not in the document`)
    return { model, name: refName(ref), schema }
  })
  const vocabulary = readVocabulary(requests.map(({ schema }) => schema))
  return { models: requests.map(({ model, name, schema }) => readModel(model, name, schema, vocabulary)), vocabulary }
}

function readModel(model: string, name: string, schema: Schema, vocabulary: Vocabulary): RequestModel {
  const required = schema.required ?? []
  return {
    name,
    model,
    isDefault: !required.includes('model'),
    description: schema.description ?? '',
    modes: (schema.allOf ?? []).map(part => readMode(name.replace(/Request$/, ''), schema, part, vocabulary)),
  }
}

function readMode(prefix: string, schema: Schema, { if: when, then = {} }: Schema, vocabulary: Vocabulary): RequestMode {
  const condition = when?.properties?.mode
  if (!condition || typeof condition.const !== 'string') throw new Error(`a condition of ${prefix} names no mode`)
  const { const: name } = condition
  const narrowed = then.properties ?? {}
  const required = [...(schema.required ?? []), ...(then.required ?? [])]
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, widest]): Property[] => {
    const own = narrowed[field]
    if (notFields.includes(field) || widest === false || own === false) return []
    const description = sentences(widest.description).filter(one => !vocabulary.get(field)?.description.includes(one))
    const shape = shapeOf({ ...widest, ...own })
    return [{ name: field, shape, required: required.includes(field), description: description.join(' ') }]
  })
  const published = (schema['x-rules'] ?? []).filter(({ modes }) => modes.includes(name))
  const rules = readRules(then, published, fields)
  return {
    typeName: `${prefix}${pascalCase(name)}`,
    name,
    isDefault: !required.includes('mode') && !when?.required,
    fields: fields.map(field => ({ ...field, required: field.required || rules.required.includes(field.name) })),
    choices: rules.choices,
    rules: rules.rules,
  }
}

/** Each field of any model once: as wide as a type can say, with the sentences that hold for all models. */
function readVocabulary(requests: Schema[]): Vocabulary {
  const fields = new Map<string, Schema[]>()
  for (const { properties = {} } of requests)
    for (const [name, schema] of Object.entries(properties)) {
      if (schema && !notFields.includes(name)) fields.set(name, [...(fields.get(name) ?? []), schema])
    }
  return new Map(
    [...fields].map(([name, schemas]) => {
      const [first = []] = schemas.map(({ description }) => sentences(description))
      const common = first.filter(sentence => schemas.every(({ description }) => sentences(description).includes(sentence)))
      const required = requests.every(request => request.required?.includes(name))
      return [name, { shape: widest(schemas.map(shapeOf)), required, description: common.join(' ') }]
    }),
  )
}

function widest(shapes: Shape[]): Shape {
  const [first] = shapes
  if (!first) throw new Error('a field of no model')
  if (first.kind !== 'literal') return first
  return { kind: typeof first.values[0] === 'number' ? 'integer' : 'text' }
}

const sentences = (text = ''): string[] => text.split(/(?<=\.) (?=[A-Z])/).filter(Boolean)
