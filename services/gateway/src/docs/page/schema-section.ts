import { type Html, html } from '@filmgate/kit/http/html'
import type { Schema } from '../../rules/json-schema'
import { coded, heading, table } from './headings'

/** Every object and enum of the answers: properties, types, meanings. */
export const schemaSections = (schemas: Record<string, Schema>): Html[] =>
  shownSchemas(schemas).map(([name, schema]) => {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
    const required = (schema.required ?? []) as string[]
    const rows = properties.map(([property, value]) => ({
      cells: [
        html`<code>${property}</code>${!required.includes(property) && html` <span class="soft">optional</span>`}`,
        typeWords(value),
        coded(meaningOf(value, schemas)),
      ],
    }))
    return html`
${heading(3, name, name)}
<p>${coded(String(schema.description ?? ''))}</p>
${properties.length > 0 ? table(`Properties of ${name}`, ['Property', 'Type', 'Meaning'], rows) : html`<p>${typeWords(schema)}</p>`}`
  })

/** Where a property is a named schema and says no more, the meaning of that. */
function meaningOf({ description, $ref }: Schema, schemas: Record<string, Schema>): string {
  const named = schemas[String($ref).split('/').at(-1) ?? '']
  return String(description ?? named?.description ?? '')
}

/** Those that answers are made of; shapes of requests are shown with their models. */
export const shownSchemas = (schemas: Record<string, Schema>): [string, Schema][] =>
  Object.entries(schemas).filter(([name]) => !name.endsWith('Request'))

/** "list of Issue", "text or null", "`paid`", with links to what is named. */
export function typeWords(schema: Schema): Html {
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (typeof schema.$ref === 'string') return linkTo(schema.$ref)
  if (options) return joined(options.map(typeWords), ' or ')
  if (schema.type === 'array') return html`list of ${typeWords(schema.items as Schema)}`
  if ('const' in schema) return html`<code>${String(schema.const)}</code>`
  if (Array.isArray(schema.enum))
    return joined(
      schema.enum.map(value => html`<code>${String(value)}</code>`),
      ', ',
    )
  if (Array.isArray(schema.type)) return html`${schema.type.map(word).join(' or ')}`
  return html`${formats[String(schema.format)] ?? word(String(schema.type))}`
}

const formats: Record<string, string> = { 'date-time': 'date and time', date: 'date', uri: 'URL' }
const words: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }
const word = (type: string): string => words[type] ?? type

const linkTo = (reference: string): Html => {
  const name = reference.split('/').at(-1) ?? ''
  return html`<a href="#${name === 'VideoGenerationRequest' ? 'fields' : name}">${name}</a>`
}

const joined = (items: Html[], between: string): Html => html`${items.flatMap((item, index) => (index === 0 ? [item] : [between, item]))}`
