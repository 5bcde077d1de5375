import type { Condition, Field, ModelMode, Rule } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarValue } from '../catalog/compile-rule'
import type { Schema } from './schema-of-field'

/** A rule without a comparison as JSON Schema; comparisons are published as rules of their own. */
export function schemaOfRule(rule: Rule, mode: ModelMode): Schema | undefined {
  if (rule.compare) return undefined
  const condition = (each: Condition) => schemaOfCondition(each, mode)
  const required = requiredWith(rule)
  if (required) return { dependentRequired: { [required.field]: required.needs } }
  const then = merged([
    ...rule.requireAll.map(condition),
    ...(rule.requireAny.length > 0 ? [{ anyOf: rule.requireAny.map(condition) }] : []),
  ])
  return rule.when.length === 0 ? then : { if: merged(rule.when.map(condition)), then }
}

/** "When this is there, those must be there too" has a keyword of its own. */
function requiredWith({ when, requireAll, requireAny }: Rule): { field: string; needs: string[] } | undefined {
  const isPresence = ({ test }: Condition) => test.case === 'present' && test.value
  const [first, ...others] = when
  if (!first || others.length > 0 || requireAny.length > 0) return undefined
  return [first, ...requireAll].every(isPresence) ? { field: first.field, needs: requireAll.map(({ field }) => field) } : undefined
}

/** Holds for a body exactly where the condition holds with defaults applied: a field left out passes only if its default does. */
function schemaOfCondition({ field, test }: Condition, mode: ModelMode): Schema {
  const source = mode.fields.find(({ name }) => name === field)
  const of = (schema: Schema, absentPasses: boolean): Schema => ({
    properties: { [field]: schema },
    ...(!absentPasses && { required: [field] }),
  })
  switch (test.case) {
    case 'present':
      return test.value ? { required: [field] } : { not: { required: [field] } }
    case 'oneOf': {
      const values = test.value.values.map(scalarValue)
      return of(values.length === 1 ? { const: values[0] } : { enum: values }, values.includes(defaultOf(source)))
    }
    case 'range': {
      const { min, max } = numbers(test.value)
      const fallback = Number(defaultOf(source))
      return of({ ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }, within(fallback, min, max))
    }
    case 'items': {
      const { min, max } = numbers(test.value)
      return of({ ...(min !== undefined && { minItems: min }), ...(max !== undefined && { maxItems: max }) }, within(0, min, max))
    }
    case undefined:
      return {}
  }
}

export const defaultOf = (field: Field | undefined) => field?.default && scalarValue(field.default)

export const numbers = ({ min, max }: { min?: bigint; max?: bigint }): { min?: number; max?: number } => ({
  ...(min !== undefined && { min: Number(min) }),
  ...(max !== undefined && { max: Number(max) }),
})

const within = (value: number, min = -Infinity, max = Infinity): boolean => value >= min && value <= max

/** All of them at once; those that only name fields become one object, so that a schema reads as a person would write it. */
function merged(schemas: Schema[]): Schema {
  const [first, ...others] = schemas
  if (first && others.length === 0) return first
  const plain = schemas.every(schema => Object.keys(schema).every(key => key === 'properties' || key === 'required'))
  const names = schemas.flatMap(schema => Object.keys((schema.properties as Schema | undefined) ?? {}))
  if (!plain || new Set(names).size !== names.length) return { allOf: schemas }
  const required = [...new Set(schemas.flatMap(schema => (schema.required as string[] | undefined) ?? []))]
  const properties = Object.assign({}, ...schemas.map(schema => schema.properties ?? {}))
  return { ...(names.length > 0 && { properties }), ...(required.length > 0 && { required }) }
}
