import type { Schemas } from './document'
import { type Literal, type Property, type Shape, shapeOf } from './shape'

/** A schema under its name. */
export type Declaration = { name: string; description: string; shape: Shape }

/** Of OpenAI's own clients, which nobody needs ours for. */
const isOpenAi = (name: string) => name.startsWith('OpenAi')

/** Every schema but those of requests; a choice inside of an object gets a name of its own, such as `TaskErrorCode`. */
export function readAnswers(schemas: Schemas): Declaration[] {
  const requests = new Set(Object.keys(schemas).filter(name => schemas[name]?.['x-rules']))
  const own = Object.entries(schemas).filter(([name]) => !requests.has(name) && !isOpenAi(name) && name !== 'VideoGenerationRequest')
  return own.flatMap(([name, schema]) => {
    const choices: Declaration[] = []
    const shape = shapeOf(schema)
    if (shape.kind === 'object') shape.properties = shape.properties.map(property => named(name, property, choices))
    return [...choices, { name, description: schema.description ?? '', shape }]
  })
}

function named(owner: string, property: Property, choices: Declaration[]): Property {
  const { shape } = property
  if (shape.kind !== 'literal' || shape.values.length < 2) return property
  const name = `${owner}${pascalCase(property.name)}`
  choices.push({ name, description: property.description, shape })
  return { ...property, shape: { kind: 'named', name } }
}

export const pascalCase = (name: string): string =>
  name
    .split(/[-_]/)
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

export type ErrorDetails = { code: string; details: Property[] }

/** What `details` holds with each code, from the conditions of `ApiError`. */
export function readErrorDetails(schemas: Schemas, answers: Declaration[]): ErrorDetails[] {
  const all = objectNamed(answers, 'ErrorDetails')
  const byCode = (schemas.ApiError?.allOf ?? []).map(({ if: when, then }) => {
    const code = propertyOf(when?.properties, 'code')?.const
    if (typeof code !== 'string') throw new Error('a condition of ApiError names no code')
    const details = propertyOf(then?.properties, 'details')
    const names = details?.propertyNames?.enum ?? []
    return { code, details: names.map(name => ({ ...found(all, name), required: details?.required?.includes(String(name)) ?? false })) }
  })
  return byCode
}

const propertyOf = (properties: Schemas[string]['properties'], name: string) => properties?.[name] || undefined

function found(properties: Property[], name: Literal): Property {
  const property = properties.find(each => each.name === name)
  if (!property) throw new Error(`ErrorDetails has no ${name}`)
  return property
}

function objectNamed(declarations: Declaration[], name: string): Property[] {
  const shape = declarations.find(each => each.name === name)?.shape
  if (shape?.kind !== 'object') throw new Error(`${name} is not an object`)
  return shape.properties
}
