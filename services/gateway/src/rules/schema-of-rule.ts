import type { Condition, ModelMode, Rule } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { readCondition } from './condition-kinds'
import { defaultOf } from './default-of'
import { allOf, type Schema } from './json-schema'

/** A rule without a comparison as JSON Schema; comparisons are published as rules of their own. */
export function schemaOfRule(rule: Rule, mode: ModelMode): Schema | undefined {
  if (rule.compare) return undefined
  const condition = (each: Condition) => schemaOfCondition(each, mode)
  const required = requiredWith(rule)
  if (required) return { dependentRequired: { [required.field]: required.needs } }
  const then = allOf([
    ...rule.requireAll.map(condition),
    ...(rule.requireAny.length > 0 ? [{ anyOf: rule.requireAny.map(condition) }] : []),
  ])
  return rule.when.length === 0 ? then : { if: allOf(rule.when.map(condition)), then }
}

/** "When this is there, those must be there too" has a keyword of its own. */
function requiredWith({ when, requireAll, requireAny }: Rule): { field: string; needs: string[] } | undefined {
  const [first, ...others] = when
  if (!first || others.length > 0 || requireAny.length > 0) return undefined
  const onlyPresence = [first, ...requireAll].every(condition => readCondition(condition).presence)
  return onlyPresence ? { field: first.field, needs: requireAll.map(({ field }) => field) } : undefined
}

const schemaOfCondition = (condition: Condition, mode: ModelMode): Schema =>
  readCondition(condition).schema(condition.field, defaultOf(mode.fields.find(({ name }) => name === condition.field)))
