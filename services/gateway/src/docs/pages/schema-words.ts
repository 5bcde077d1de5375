import type { Schema } from '../../rules/json-schema'
import { anchorOf } from '../markdown/anchors'
import { codeSpan, prose, table } from '../markdown/write'
import { linkTo } from '../site/doc-page'

export type Schemas = Record<string, Schema>

/** Those that answers are made of; shapes of requests are shown with their models. */
export const shownSchemas = (schemas: Schemas): [string, Schema][] => Object.entries(schemas).filter(([name]) => !name.endsWith('Request'))

/** "list of Issue", "text or null", "`paid`", with links to what is named. */
export function typeWords(schema: Schema): string {
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (typeof schema.$ref === 'string') return linkToSchema(schema.$ref)
  if (options) return options.map(typeWords).join(' or ')
  if (schema.type === 'array') return `list of ${typeWords(schema.items as Schema)}`
  if ('const' in schema) return codeSpan(String(schema.const))
  if (Array.isArray(schema.enum)) return schema.enum.map(value => codeSpan(String(value))).join(', ')
  if (Array.isArray(schema.type)) return schema.type.map(word).join(' or ')
  return formats[String(schema.format)] ?? word(String(schema.type))
}

/** The properties of an object: type and meaning. */
export function propertyTable(schema: Schema, schemas: Schemas): string {
  const required = (schema.required ?? []) as string[]
  return table(
    ['Property', 'Type', 'Meaning'],
    Object.entries((schema.properties ?? {}) as Schemas).map(([name, value]) => [
      `${codeSpan(name)}${required.includes(name) ? '' : ' *optional*'}`,
      typeWords(value),
      prose(meaningOf(value, schemas)),
    ]),
  )
}

/** Where a property is a named schema and says no more, the meaning of that. */
function meaningOf({ description, $ref }: Schema, schemas: Schemas): string {
  const named = schemas[String($ref).split('/').at(-1) ?? '']
  return String(description ?? named?.description ?? '')
}

const formats: Record<string, string> = { 'date-time': 'date and time', date: 'date', uri: 'URL' }
const words: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }
const word = (type: string): string => words[type] ?? type

function linkToSchema(reference: string): string {
  const name = reference.split('/').at(-1) ?? ''
  return name === 'VideoGenerationRequest'
    ? linkTo(name, '/docs/api/createVideoGeneration', 'fields')
    : linkTo(name, '/docs/objects', anchorOf(name))
}
