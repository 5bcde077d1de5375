import type { MessageInitShape } from '@bufbuild/protobuf'
import { nearestWord } from '@filmgate/kit/nearest-word'
import {
  Comparator,
  type ConditionSchema,
  FieldKind,
  Measure,
  type RuleSchema,
  type TermSchema,
} from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { scalarOf } from '@filmgate/proto/scalar'
import type { CardCondition, CardField, CardMode, CardRule } from './card-file'
import { isLegal, type ReportFault } from './expand-field'
import { fieldVocabulary } from './field-vocabulary'

export type RuleInit = MessageInitShape<typeof RuleSchema>
type ConditionInit = MessageInitShape<typeof ConditionSchema>
type TermInit = MessageInitShape<typeof TermSchema>
type Fields = Record<string, CardField>

/** Expands a card's rule to its message. A rule with reported faults is never published. */
export function expandRule(rule: CardRule, fields: Fields, report: ReportFault): RuleInit {
  const list = (property: 'when' | 'require' | 'require_any') =>
    Object.entries(rule[property] ?? {}).flatMap(([field, test]) =>
      expandCondition(field, test, fields, message => report(`${property}.${field}`, message)),
    )
  const requirements = [rule.require, rule.require_any, rule.total].filter(demand => demand !== undefined).length
  if (requirements !== 1) report('', 'must have exactly one of require, require_any and total')
  if ((rule.total !== undefined) !== (rule.at_most !== undefined || rule.equals_sum_of !== undefined))
    report('total', 'needs at_most or equals_sum_of, and they need it')
  if (rule.at_most !== undefined && rule.equals_sum_of !== undefined) report('at_most', 'can’t be combined with equals_sum_of')
  return {
    name: rule.name,
    when: list('when'),
    requireAll: list('require'),
    requireAny: list('require_any'),
    ...(rule.total && { compare: comparison(rule, fields, report) }),
  }
}

function comparison(rule: CardRule, fields: Fields, report: ReportFault) {
  const terms = (names: string[], property: string) => names.flatMap(name => expandTerm(name, fields, message => report(property, message)))
  return {
    left: terms(rule.total ?? [], 'total'),
    comparator: rule.equals_sum_of ? Comparator.EQUAL : Comparator.AT_MOST,
    limit: BigInt(rule.at_most ?? 0),
    right: terms(rule.equals_sum_of ? [rule.equals_sum_of] : [], 'equals_sum_of'),
  }
}

function expandTerm(field: string, fields: Fields, report: (message: string) => void): TermInit[] {
  const kind = kindIn(field, fields, report)
  if (kind === FieldKind.INTEGER) return [{ measure: Measure.VALUE, field }]
  if (kind === FieldKind.SECONDS_LIST) return [{ measure: Measure.SUM, field }]
  if (kind !== undefined) report(`${field} is neither an integer nor a list of seconds`)
  return []
}

function expandCondition(field: string, test: CardCondition, fields: Fields, report: (message: string) => void): ConditionInit[] {
  const kind = kindIn(field, fields, report)
  if (kind === undefined) return []
  if (Array.isArray(test) || typeof test !== 'object') {
    const values = Array.isArray(test) ? test : [test]
    for (const value of values) {
      if (!isLegal(value, fields[field] ?? {}, kind)) report(`${JSON.stringify(value)} is not a legal value of ${field}`)
    }
    return [{ field, test: { case: 'oneOf', value: { values: values.map(scalarOf) } } }]
  }
  if ('present' in test) {
    // A field with a default is always present.
    if ((fields[field]?.default ?? fieldVocabulary[field]?.default) !== undefined) report('present has no effect on a field with a default')
    return [{ field, test: { case: 'present', value: test.present } }]
  }
  if ('items_min' in test || 'items_max' in test) {
    if (kind !== FieldKind.URL_LIST && kind !== FieldKind.SECONDS_LIST) report(`${field} is not a list`)
    return [{ field, test: { case: 'items', value: range(test.items_min, test.items_max) } }]
  }
  if (kind !== FieldKind.INTEGER) report(`${field} is not an integer`)
  const { min, max } = test as { min?: number; max?: number }
  return [{ field, test: { case: 'range', value: range(min, max) } }]
}

function kindIn(field: string, fields: Fields, report: (message: string) => void): FieldKind | undefined {
  const kind = fields[field] && fieldVocabulary[field]?.kind
  if (kind !== undefined) return kind
  const suggestion = nearestWord(field, Object.keys(fields))
  report(`this mode has no field ${field}${suggestion ? `; did you mean ${suggestion}` : ''}`)
  return undefined
}

const range = (min: number | undefined, max: number | undefined) => ({
  ...(min !== undefined && { min: BigInt(min) }),
  ...(max !== undefined && { max: BigInt(max) }),
})

/** Rules implied by the fields: a length for each file, equal counts, sums, and the number of references. */
export function impliedRules(mode: CardMode, fields: Fields): RuleInit[] {
  const seconds = Object.keys(fields).filter(name => fieldVocabulary[name]?.kind === FieldKind.SECONDS_LIST)
  const lists = Object.keys(fields).filter(name => fieldVocabulary[name]?.kind === FieldKind.URL_LIST)
  const count = (field: string): TermInit => ({ measure: Measure.COUNT, field })
  const isNotEmpty = (field: string): ConditionInit => ({ field, test: { case: 'items', value: { min: 1n } } })
  const rules: RuleInit[] = []
  if (mode.references_min) rules.push({ name: 'references_min', requireAny: lists.map(isNotEmpty) })
  if (mode.references_max !== undefined) {
    const limit = BigInt(mode.references_max)
    rules.push({ name: 'references_max', compare: { left: lists.map(count), comparator: Comparator.AT_MOST, limit } })
  }
  for (const field of seconds) {
    const urls = fieldVocabulary[field]?.secondsOf ?? ''
    const medium = fieldVocabulary[urls]?.mediaKind === MediaKind.AUDIO ? 'audio' : 'video'
    const required: ConditionInit = { field, test: { case: 'present', value: true } }
    rules.push({ name: `${medium}_durations_required`, when: [isNotEmpty(urls)], requireAll: [required] })
    rules.push({
      name: `${medium}_durations_count`,
      when: [required],
      compare: { left: [count(field)], comparator: Comparator.EQUAL, right: [count(urls)] },
    })
    const sumMax = fields[field]?.sum_max
    if (sumMax !== undefined) {
      const left = [{ measure: Measure.SUM, field }]
      rules.push({ name: `${medium}_durations_sum`, compare: { left, comparator: Comparator.AT_MOST, limit: BigInt(sumMax) } })
    }
  }
  return rules
}
