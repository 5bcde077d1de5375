import type { Contract } from './contract'
import { wrapped } from './prose'
import { type Declaration, type ErrorDetails, pascalCase } from './read-answers'
import type { RequestMode, RequestModel, Vocabulary } from './read-requests'
import type { Literal, Property, Shape } from './shape'

const lineWidth = 118

const prelude = `"""Generated from the OpenAPI document by \`bun run clients generate\`: change the API, not this file."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union
`

export function python({ models, vocabulary, answers, errorDetails }: Contract): string {
  const modes = models.flatMap(model => model.modes.map(mode => requestMode(mode, model)))
  const parts = [
    prelude,
    ...answers.map(declaration),
    ...errorDetails.filter(({ details }) => details.length > 0).map(detailsOfCode),
    requestFields(vocabulary),
    ...modes,
    ...models.map(({ name, modes: own }) =>
      union(
        name,
        own.map(({ typeName }) => typeName),
      ),
    ),
    union(
      'VideoGenerationRequest',
      models.map(({ name }) => name),
    ),
    choice(
      'ModelId',
      models.map(({ model }) => model),
    ),
  ]
  return parts.join('\n\n')
}

function requestFields(vocabulary: Vocabulary): string {
  const fields = [...vocabulary].map(([name, field]) => ({ name, ...field }))
  return typedDict(
    'RequestFields',
    ['The fields of requests and what they mean. Models and modes take some of them, and narrow their values.'],
    fields,
  )
}

function requestMode({ typeName, name, isDefault, fields, rules }: RequestMode, model: RequestModel): string {
  const chosen: Property[] = [
    { name: 'model', shape: { kind: 'literal', values: [model.model] }, required: !model.isDefault, description: '' },
    { name: 'mode', shape: { kind: 'literal', values: [name] }, required: !isDefault, description: '' },
  ]
  const words = rules.map(rule => rule.words)
  const told = [`${model.model}, ${name}.`, ...(words.length > 0 ? [`Not in the type: ${words.join('; ')}.`] : [])]
  return typedDict(typeName, told, [...chosen, ...fields])
}

const detailsOfCode = ({ code, details }: ErrorDetails): string =>
  typedDict(`${pascalCase(code)}Details`, [`What \`details\` holds with \`${code}\`.`], details)

function declaration({ name, description, shape }: Declaration): string {
  if (shape.kind === 'object') return typedDict(name, [description], shape.properties)
  if (shape.kind === 'literal') return `${note(description)}${choice(name, shape.values)}`
  return `${note(description)}${name} = ${type(shape, quoted)}\n`
}

/** Required properties are in a base class: Python 3.10 has no other way to say it. */
function typedDict(name: string, told: string[], properties: Property[]): string {
  const required = properties.filter(each => each.required)
  const optional = properties.filter(each => !each.required)
  if (properties.some(each => !/^[a-z_]\w*$/.test(each.name) || keywords.includes(each.name))) return byCall(name, told, properties)
  const doc = docstring(told.join('\n\n'), '    ')
  if (optional.length === 0) return `class ${name}(TypedDict):\n${doc}${required.map(field).join('')}`
  if (required.length === 0) return `class ${name}(TypedDict, total=False):\n${doc}${optional.map(field).join('')}`
  const base = `class _${name}(TypedDict):\n${required.map(field).join('')}`
  return `${base}\n\nclass ${name}(_${name}, total=False):\n${doc}${optional.map(field).join('')}`
}

/** For names that no attribute can have. */
function byCall(name: string, told: string[], properties: Property[]): string {
  const required = properties.filter(each => each.required).length
  if (required > 0 && required < properties.length) throw new Error(`${name} needs two classes, which its names do not allow`)
  const rows = properties.map(each => `        ${text(each.name)}: ${text(type(each.shape))},\n`).join('')
  return `${note(told.join(' '))}${name} = TypedDict(\n    ${text(name)},\n    {\n${rows}    },\n    total=${required > 0 ? 'True' : 'False'},\n)\n`
}

const keywords = ['from', 'to', 'in', 'is', 'not', 'class', 'def', 'global', 'import', 'pass', 'return', 'with']

const field = ({ name, shape, description }: Property): string => `    ${name}: ${type(shape)}\n${docstring(description, '    ')}`

function union(name: string, members: string[]): string {
  if (members.length === 1) return `${name} = ${members[0]}\n`
  return `${name} = Union[\n${members.map(member => `    ${member},\n`).join('')}]\n`
}

function choice(name: string, values: Literal[]): string {
  return `${name} = Literal[\n${values.map(value => `    ${literal(value)},\n`).join('')}]\n`
}

/** Annotations are not evaluated. An alias is, and names in it may come later. */
const quoted = (name: string): string => text(name)
const bare = (name: string): string => name

function type(shape: Shape, named = bare): string {
  switch (shape.kind) {
    case 'text':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'unknown':
      return 'Any'
    case 'literal':
      return `Literal[${shape.values.map(literal).join(', ')}]`
    case 'list':
      return `List[${type(shape.items, named)}]`
    case 'map':
      return `Dict[str, ${type(shape.values, named)}]`
    case 'union':
      return `Union[${shape.of.map(one => type(one, named)).join(', ')}]`
    case 'named':
      return named(shape.name)
    case 'object':
      throw new Error('Python has no type without a name')
  }
}

const text = (value: string): string => JSON.stringify(value)
const literal = (value: Literal): string =>
  typeof value === 'string' ? text(value) : typeof value === 'number' ? String(value) : value ? 'True' : 'False'

function docstring(words: string, indent: string): string {
  if (words === '') return ''
  const safe = words.replaceAll('\\', '\\\\').replaceAll('"""', '"')
  if (!safe.includes('\n') && indent.length + safe.length + 6 <= lineWidth && !safe.endsWith('"')) return `${indent}"""${safe}"""\n`
  const lines = safe.split('\n').flatMap(line => (line === '' ? [''] : wrapped(line, lineWidth - indent.length - 3)))
  return `${indent}"""${lines.map((line, index) => (index === 0 || line === '' ? line : `${indent}${line}`)).join('\n')}\n${indent}"""\n`
}

const note = (words: string): string =>
  wrapped(words, lineWidth - 3)
    .map(line => `#: ${line}\n`)
    .join('')
