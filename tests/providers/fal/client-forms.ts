import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** A field of a model's input, as the types that fal publishes have it. */
export type FieldForm = {
  type: 'string' | 'number' | 'boolean' | 'strings' | 'other'
  required?: true
  one_of?: (string | number | boolean)[]
  default?: string | number | boolean
}
export type Form = Record<string, FieldForm>

const folder = join(dirname(fileURLToPath(import.meta.resolve('@fal-ai/client'))), '..')
export const clientVersion: string = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version

/** The inputs of these endpoints in the published client's types; endpoints that it doesn't have are left out. */
export function clientForms(endpoints: string[]): Record<string, Form> {
  const types = readTypes(join(folder, 'src/types/endpoints.d.ts'))
  return Object.fromEntries(
    endpoints.toSorted().flatMap(endpoint => {
      const input = types.inputs.get(endpoint)
      const form = input && types.aliases.get(input)
      return form ? [[endpoint, formOf(resolved(types, form))]] : []
    }),
  )
}

type Types = { aliases: Map<string, ts.TypeNode>; inputs: Map<string, string> }

function readTypes(file: string): Types {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const aliases = new Map<string, ts.TypeNode>()
  const inputs = new Map<string, string>()
  for (const statement of source.statements) {
    if (!ts.isTypeAliasDeclaration(statement)) continue
    aliases.set(statement.name.text, statement.type)
    if (statement.name.text === 'EndpointTypeMap' && ts.isTypeLiteralNode(statement.type))
      for (const [name, member] of members(statement.type)) {
        const input = ts.isTypeLiteralNode(member) ? members(member).get('input') : undefined
        if (input) inputs.set(name, input.getText())
      }
  }
  return { aliases, inputs }
}

const members = (literal: ts.TypeLiteralNode): Map<string, ts.TypeNode> =>
  new Map(
    literal.members.flatMap((member): [string, ts.TypeNode][] =>
      ts.isPropertySignature(member) && member.type ? [[nameOf(member.name), member.type]] : [],
    ),
  )

const nameOf = (name: ts.PropertyName): string => (ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText())

/** Many inputs are another's by name. */
function resolved(types: Types, type: ts.TypeNode): ts.TypeNode {
  const next = ts.isTypeReferenceNode(type) ? types.aliases.get(type.typeName.getText()) : undefined
  return next ? resolved(types, next) : type
}

function formOf(type: ts.TypeNode): Form {
  if (!ts.isTypeLiteralNode(type)) throw new Error(`an input that is no object: ${type.getText().slice(0, 80)}`)
  return Object.fromEntries(
    type.members.filter(ts.isPropertySignature).map(member => {
      const fallback = defaultOf(member)
      const required = member.questionToken ? {} : { required: true as const }
      return [nameOf(member.name), { ...fieldOf(member.type), ...required, ...(fallback !== undefined && { default: fallback }) }]
    }),
  )
}

function fieldOf(type: ts.TypeNode | undefined): FieldForm {
  const parts = type && ts.isUnionTypeNode(type) ? [...type.types] : type ? [type] : []
  const literals = parts.filter(ts.isLiteralTypeNode).map(({ literal }) => JSON.parse(literal.getText().replaceAll("'", '"')))
  if (literals.length > 0 && literals.length === parts.length)
    return { type: typeof literals[0] as 'string' | 'number' | 'boolean', one_of: literals }
  const words = parts.map(part => part.getText())
  if (words.includes('string')) return { type: 'string' }
  if (words.includes('number')) return { type: 'number' }
  if (words.includes('boolean')) return { type: 'boolean' }
  return { type: words.length > 0 && words.every(word => /^Array<string\b/.test(word)) ? 'strings' : 'other' }
}

/** "Default value: `"5"`" of the comment above a field. */
function defaultOf(member: ts.PropertySignature): string | number | boolean | undefined {
  const comment = ts
    .getJSDocCommentsAndTags(member)
    .map(one => one.getText())
    .join(' ')
  const [, value] = /Default value: `([^`]*)`/.exec(comment) ?? []
  try {
    const read: unknown = value === undefined ? undefined : JSON.parse(value)
    return ['string', 'number', 'boolean'].includes(typeof read) ? (read as string | number | boolean) : undefined
  } catch {
    return undefined
  }
}
