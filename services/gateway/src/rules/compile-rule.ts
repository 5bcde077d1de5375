import { Comparator, type Condition, Measure, type Rule, type Term } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { Issue, Values } from '../issues/issue'
import { readCondition } from './condition-kinds'
import { describeAny, describeComparison, describeWhen } from './describe-rule'

export type CheckRule = {
  /** The fields it reads: where one of them is faulty itself, the rule has nothing to say. */
  fields: string[]
  check: (values: Values, issues: Issue[]) => void
}

/** A rule of the card as a function over a request whose defaults are applied. */
export function compileRule(rule: Rule): CheckRule {
  const when = rule.when.map(compileCondition)
  const all = rule.requireAll.map(condition => ({ test: compileCondition(condition), issue: issueOf(rule, [condition]) }))
  const any = rule.requireAny.map(compileCondition)
  const anyIssue = rule.requireAny.length > 0 ? issueOf(rule, rule.requireAny) : undefined
  const compare = rule.compare && compileComparison(rule)
  return {
    fields: fieldsOf(rule),
    check(values, issues) {
      if (!when.every(test => test(values))) return
      for (const { test, issue } of all) if (!test(values)) issues.push(issue)
      if (anyIssue && !any.some(test => test(values))) issues.push(anyIssue)
      compare?.(values, issues)
    },
  }
}

function issueOf(rule: Rule, conditions: Condition[]): Issue {
  const message = `${describeAny(conditions)}${describeWhen(rule.when)}`
  return { path: conditions[0]?.field ?? '', rule: rule.name, message }
}

function compileCondition(condition: Condition): (values: Values) => boolean {
  const { field } = condition
  const { holds } = readCondition(condition)
  return values => holds(values[field])
}

function compileComparison(rule: Rule): (values: Values, issues: Issue[]) => void {
  const { left = [], right = [], comparator, limit = 0n } = rule.compare ?? {}
  const path = left[0]?.field ?? ''
  const total = (terms: Term[], values: Values) => terms.reduce((sum, term) => sum + measure(term, values), 0)
  return (values, issues) => {
    const is = total(left, values)
    const bound = Number(limit) + total(right, values)
    if (comparator === Comparator.EQUAL ? is === bound : is <= bound) return
    issues.push({ path, rule: rule.name, message: `${describeComparison(rule, bound, is)}${describeWhen(rule.when, [path])}` })
  }
}

function measure(term: Term, values: Values): number {
  const value = values[term.field]
  if (term.measure === Measure.VALUE) return typeof value === 'number' ? value : 0
  if (!Array.isArray(value)) return 0
  return term.measure === Measure.COUNT ? value.length : value.reduce((sum: number, seconds: number) => sum + seconds, 0)
}

function fieldsOf({ when, requireAll, requireAny, compare }: Rule): string[] {
  return [...when, ...requireAll, ...requireAny, ...(compare?.left ?? []), ...(compare?.right ?? [])].map(({ field }) => field)
}
