import {
  Comparator,
  type Condition,
  FieldKind,
  Measure,
  type ModelCard,
  type ModelMode,
  type Rule,
  type Term,
} from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { type PublishedTest, readCondition } from '../rules/condition-kinds'
import { defaultOf } from '../rules/default-of'
import { describeComparison, describeWhen } from '../rules/describe-rule'

/** A number, or how to get one from a body. A field left out counts as its `default`, or 0. */
export type PublishedTerm = number | { value: string; default?: number } | { sum: string } | { count: string } | { trimmed_length: string }
export type PublishedCondition = { field: string } & PublishedTest
/** What JSON Schema cannot say: where all of `when` holds, `left` added up compared with `right` added up, or a text that is well-formed. */
export type PublishedRule = { rule: string; modes: string[]; message: string } & (
  | { when?: PublishedCondition[]; left: PublishedTerm[]; op: '<=' | '>=' | '=='; right: PublishedTerm[] }
  | { well_formed: string }
)

/** The model's rules that its schemas can't say; one that several modes share is listed once. */
export function publishedRules(card: ModelCard): PublishedRule[] {
  const merged = new Map<string, PublishedRule>()
  for (const mode of card.modes) {
    for (const rule of rulesOfMode(mode)) {
      const key = JSON.stringify(rule)
      const known = merged.get(key)
      if (known) known.modes.push(mode.name)
      else merged.set(key, { ...rule, modes: [mode.name] })
    }
  }
  return [...merged.values()]
}

function rulesOfMode(mode: ModelMode): PublishedRule[] {
  const texts = mode.fields.filter(field => field.kind === FieldKind.TEXT)
  return [
    ...texts.flatMap(({ name, min = 0n, max = 0n }): PublishedRule[] => [
      {
        rule: 'max_length',
        modes: [],
        message: `${name} must have from ${min} to ${max} characters after trimming, counted as Unicode code points`,
        left: [{ trimmed_length: name }],
        op: '<=',
        right: [Number(max)],
      },
      { rule: 'well_formed', modes: [], message: `${name} must be well-formed Unicode without the character U+0000`, well_formed: name },
    ]),
    ...mode.rules.flatMap(rule => (rule.compare ? [comparison(rule, mode)] : [])),
  ]
}

function comparison(rule: Rule, mode: ModelMode): PublishedRule {
  const { left = [], right = [], limit = 0n, comparator } = rule.compare ?? {}
  const term = (each: Term) => publishedTerm(each, mode)
  const message = `${describeComparison(rule, Number(limit))}${describeWhen(rule.when, [left[0]?.field ?? ''])}`
  return {
    rule: rule.name,
    modes: [],
    message,
    ...(rule.when.length > 0 && { when: rule.when.map(condition => publishedCondition(condition, mode)) }),
    left: left.map(term),
    op: comparator === Comparator.EQUAL ? '==' : '<=',
    right: [...(limit !== 0n || right.length === 0 ? [Number(limit)] : []), ...right.map(term)],
  }
}

function publishedTerm({ measure, field }: Term, mode: ModelMode): PublishedTerm {
  if (measure === Measure.SUM) return { sum: field }
  if (measure === Measure.COUNT) return { count: field }
  const fallback = defaultOf(fieldOf(mode, field))
  return { value: field, ...(typeof fallback === 'number' && { default: fallback }) }
}

const publishedCondition = (condition: Condition, mode: ModelMode): PublishedCondition => ({
  field: condition.field,
  ...readCondition(condition).published(defaultOf(fieldOf(mode, condition.field))),
})

const fieldOf = (mode: ModelMode, name: string) => mode.fields.find(field => field.name === name)
