import type { Contract } from './contract'
import { wrapped } from './prose'
import type { Declaration, ErrorDetails } from './read-answers'
import type { RequestMode, RequestModel, Vocabulary } from './read-requests'
import type { Alternative } from './read-rules'
import type { Property, Shape } from './shape'

const proseWidth = 118

export function typescript({ models, vocabulary, answers, errorDetails }: Contract): string {
  const parts = [
    '// Generated from the OpenAPI document by `bun run clients generate`: change the API, not this file.\n',
    requestPrelude(vocabulary),
    ...models.map(model => requestModel(model, vocabulary)),
    requestIndex(models),
    ...answers.map(declaration),
    errorDetailsByCode(errorDetails),
  ]
  return parts.join('\n')
}

function requestPrelude(vocabulary: Vocabulary): string {
  const fields = [...vocabulary].map(([name, field]) => property({ name, ...field }, true))
  return `/** The fields of requests and what they mean. Models and modes take some of them, and narrow their values. */
export interface RequestFields {
${fields.join('')}}

/** Exactly these fields. */
type Takes<Names extends keyof RequestFields> = Pick<RequestFields, Names> & { [Name in Exclude<keyof RequestFields, Names>]?: never }
`
}

function requestModel({ name, model, isDefault, description, modes }: RequestModel, vocabulary: Vocabulary): string {
  const types = modes.map(mode => requestMode(mode, { model, isDefault }, vocabulary))
  const union = modes.map(({ typeName }) => typeName).join(' | ')
  return `${types.join('\n')}\n${comment(description)}export type ${name} = ${union}\n`
}

function requestMode(mode: RequestMode, { model, isDefault }: { model: string; isDefault: boolean }, vocabulary: Vocabulary): string {
  const { typeName, name, fields, choices, rules } = mode
  const own = fields.filter(field => !isAsEverywhere(field, vocabulary))
  const rows = [
    `  model${isDefault ? '?' : ''}: ${literal(model)}\n`,
    `  mode${mode.isDefault ? '?' : ''}: ${literal(name)}\n`,
    ...own.map(field => property(field, true)),
  ].join('')
  const left = rules.filter(({ isChoice }) => !isChoice).map(({ words }) => words)
  const told = comment([`${model}, ${name}.`, ...(left.length > 0 ? [`Not in the type: ${left.join('; ')}.`] : [])].join(' '))
  const takes = `Takes<${fields.map(field => literal(field.name)).join(' | ')}>`
  if (choices.length === 0) return `${told}export interface ${typeName}\n  extends ${takes} {\n${rows}}\n`
  const base = `interface ${typeName}Fields\n  extends ${takes} {\n${rows}}\n`
  return `${base}\n${told}export type ${typeName} = ${typeName}Fields${choices.map(choice).join('')}\n`
}

const choice = (alternatives: Alternative[]): string =>
  ` &\n  (\n${alternatives.map(alternative => `    | ${inline(alternative)}\n`).join('')}  )`

const inline = (alternative: Alternative): string =>
  `{ ${alternative
    .map(({ name, shape, required }) => (shape === 'absent' ? `${name}?: never` : `${name}${required ? '' : '?'}: ${type(shape, true)}`))
    .join('; ')} }`

function isAsEverywhere(field: Property, vocabulary: Vocabulary): boolean {
  const common = vocabulary.get(field.name)
  return field.description === '' && field.required === common?.required && type(field.shape, true) === type(common.shape, true)
}

function requestIndex(models: RequestModel[]): string {
  const rows = models.map(({ name, model }) => `  ${literal(model)}: ${name}\n`).join('')
  return `/** Every model with its requests. */
interface Requests {
${rows}}

export type ModelId = keyof Requests
/** The requests of one model. */
export type RequestOf<M extends ModelId> = Requests[M]
/** What to generate: \`model\` and \`mode\` choose the shape. */
export type VideoGenerationRequest = Requests[ModelId]
`
}

function declaration({ name, description, shape }: Declaration): string {
  const told = comment(description)
  if (shape.kind !== 'object') return `${told}export type ${name} = ${type(shape, false)}\n`
  const open = shape.open ? '  [field: string]: unknown\n' : ''
  // Not an interface: those are no records.
  return `${told}export type ${name} = {\n${shape.properties.map(each => property(each)).join('')}${open}}\n`
}

function errorDetailsByCode(errors: ErrorDetails[]): string {
  const rows = errors.map(({ code, details }) => `  ${code}: ${details.length === 0 ? 'undefined' : object(details, false)}\n`)
  return `/** What \`details\` holds with each code. */\nexport interface ErrorDetailsByCode {\n${rows.join('')}}\n`
}

const property = ({ name, shape, required, description }: Property, sent = false): string =>
  `${comment(description, '  ')}  ${key(name)}${required ? '' : '?'}: ${type(shape, sent)}\n`

const key = (name: string): string => (/^\w+$/.test(name) ? name : literal(name))

function type(shape: Shape, sent: boolean): string {
  switch (shape.kind) {
    case 'text':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'literal':
      return shape.values.map(literal).join(' | ')
    case 'list': {
      const items = type(shape.items, sent)
      return `${sent ? 'readonly ' : ''}${items.includes(' ') ? `(${items})` : items}[]`
    }
    case 'map':
      return `Record<string, ${type(shape.values, sent)}>`
    case 'union':
      return shape.of.map(one => type(one, sent)).join(' | ')
    case 'named':
      return shape.name
    case 'object':
      return object(shape.properties, sent)
    default:
      return shape.kind
  }
}

const object = (properties: Property[], sent: boolean): string =>
  `{ ${properties.map(({ name, shape, required }) => `${key(name)}${required ? '' : '?'}: ${type(shape, sent)}`).join('; ')} }`

const literal = (value: string | number | boolean): string => (typeof value === 'string' ? `'${value}'` : String(value))

function comment(text: string, indent = ''): string {
  if (text === '') return ''
  const safe = text.replaceAll('*/', '*\\/')
  if (indent.length + safe.length + 7 <= proseWidth) return `${indent}/** ${safe} */\n`
  const lines = wrapped(safe, proseWidth - indent.length - 3)
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}\n`).join('')}${indent} */\n`
}
