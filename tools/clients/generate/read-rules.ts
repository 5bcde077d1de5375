import type { PublishedRule, Schema } from './document'
import { type Literal, type Property, type Shape, shapeOf } from './shape'

/** What a request of this alternative has of some fields, beside what its mode says. */
export type Alternative = { name: string; shape: Shape | 'absent'; required: boolean }[]

type Rules = {
  /** Fields that a rule requires always. */
  required: string[]
  choices: Alternative[][]
  rules: { words: string; isChoice: boolean }[]
}

/** The rules of a mode. Those between fields that a union of types can say become `choices`. */
export function readRules(then: Schema, published: PublishedRule[], fields: Property[]): Rules {
  const own = then.allOf ?? (then.anyOf || then.if || then.dependentRequired ? [then] : [])
  const read = own.map(rule => readRule(rule, fields))
  const pairs = published.flatMap(rule => pairOf(rule) ?? [])
  const all = read.map(({ alternatives }) => alternatives.map(one => withPairs(one, pairs)))
  const choices = all.filter(({ length }) => length > 1)
  const required = all.filter(({ length }) => length === 1).flatMap(([only = []]) => only.map(({ name }) => name))
  const words = published.filter(({ rule }) => rule !== 'well_formed').map(({ message }) => ({ words: message, isChoice: false }))
  return { required, choices, rules: [...read.map(({ words }) => ({ words, isChoice: true })), ...words] }
}

/** Lists that are as long as another are absent with it. */
type Pair = { list: string; of: string }

function pairOf({ left = [], op, right = [] }: PublishedRule): Pair | undefined {
  const [list] = left as { count?: string }[]
  const [of] = right as { count?: string }[]
  return op === '==' && list?.count && of?.count ? { list: list.count, of: of.count } : undefined
}

function withPairs(alternative: Alternative, pairs: Pair[]): Alternative {
  const names = alternative.map(({ name }) => name)
  const also = pairs.filter(
    ({ list, of }) => !names.includes(list) && alternative.some(({ name, shape }) => name === of && shape === 'absent'),
  )
  return [...alternative, ...also.map(({ list }) => ({ name: list, shape: 'absent' as const, required: false }))]
}

function readRule(rule: Schema, fields: Property[]): { alternatives: Alternative[]; words: string } {
  const [field, needs] = Object.entries(rule.dependentRequired ?? {})[0] ?? []
  const when = field ? { required: [field] } : rule.if
  const demand = field ? { required: needs } : rule.then
  if (!when || !demand) return { alternatives: demands(rule, fields), words: describe(rule) }
  const { without, within } = split(when, fields)
  const alternatives = demands(demand, fields).map(each => merged(within, each))
  return { alternatives: [without, ...alternatives], words: `${describe(demand)} when ${describe(when)}` }
}

/** A condition on one field: what the field is where the condition does not hold, and where it does. */
function split(condition: Schema, fields: Property[]): { without: Alternative; within: Alternative } {
  const names = [...new Set([...Object.keys(condition.properties ?? {}), ...(condition.required ?? [])])]
  const [name = ''] = names
  const field = fields.find(each => each.name === name)
  const value = condition.properties?.[name]
  if (names.length !== 1 || !field) throw new Error(`no type for the condition ${JSON.stringify(condition)}`)
  const required = condition.required?.includes(name) ?? false
  if (!value || value.const === undefined)
    return { without: [{ name, shape: 'absent', required: false }], within: [{ name, shape: field.shape, required }] }
  const { const: constant } = value
  const others = literalsOf(field.shape).filter(each => each !== constant)
  return {
    // Where the value is the default, leaving the field out means it.
    without: [{ name, shape: { kind: 'literal', values: others }, required: !required }],
    within: [{ name, shape: { kind: 'literal', values: [constant] }, required }],
  }
}

/** What a schema demands of fields: of the alternatives one. */
function demands(schema: Schema, fields: Property[]): Alternative[] {
  if (schema.anyOf) return schema.anyOf.flatMap(one => demands(one, fields))
  if (schema.allOf || schema.not || schema.if) throw new Error(`no type for ${JSON.stringify(schema)}`)
  const names = [...new Set([...Object.keys(schema.properties ?? {}), ...(schema.required ?? [])])]
  return [
    names.map(name => {
      const field = fields.find(each => each.name === name)
      if (!field) throw new Error(`a rule names ${name}, which its mode does not have`)
      const required = field.required || (schema.required?.includes(name) ?? false)
      return { name, shape: narrowed(field.shape, schema.properties?.[name] || {}), required }
    }),
  ]
}

function narrowed(shape: Shape, { minimum = -Infinity, maximum = Infinity, ...schema }: Schema): Shape {
  if (schema.const !== undefined || schema.enum) return shapeOf(schema)
  if (shape.kind !== 'literal') return shape
  return { kind: 'literal', values: shape.values.filter(value => typeof value !== 'number' || (value >= minimum && value <= maximum)) }
}

const merged = (one: Alternative, other: Alternative): Alternative => [
  ...one.filter(({ name }) => !other.some(each => each.name === name)),
  ...other,
]

function literalsOf(shape: Shape): Literal[] {
  if (shape.kind === 'literal') return shape.values
  if (shape.kind === 'boolean') return [true, false]
  throw new Error('a rule is on a value of a field that has no list of values')
}

/** "reference_image_urls or reference_video_urls is given", "duration is 6 and resolution is 768p". */
function describe(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(describe).join(' or ')
  const names = [...new Set([...Object.keys(schema.properties ?? {}), ...(schema.required ?? [])])]
  return names.map(name => describeField(name, schema.properties?.[name] || {})).join(' and ')
}

function describeField(name: string, { const: constant, enum: values, minimum, maximum }: Schema): string {
  if (constant !== undefined) return `${name} is ${constant}`
  if (values) return `${name} is ${values.join(' or ')}`
  if (minimum !== undefined) return `${name} is at least ${minimum}`
  if (maximum !== undefined) return `${name} is at most ${maximum}`
  return `${name} is given`
}
