import type { Condition, Rule, Term } from '../models/published-models'

type Body = Record<string, unknown>

/** Whether a body keeps one of the rules that GET /models publishes beside its schemas: all it takes to read them. */
export function holds(rule: Rule, body: Body): boolean {
  if (rule.well_formed !== undefined) {
    const text = body[rule.well_formed]
    return typeof text !== 'string' || (text.isWellFormed() && !text.includes('\0'))
  }
  if (!(rule.when ?? []).every(condition => isMet(condition, body))) return true
  const [left, right] = [total(rule.left ?? [], body), total(rule.right ?? [], body)]
  return rule.op === '<=' ? left <= right : rule.op === '>=' ? left >= right : left === right
}

const total = (terms: Term[], body: Body): number => terms.reduce<number>((sum, term) => sum + amount(term, body), 0)

function amount(term: Term, body: Body): number {
  if (typeof term === 'number') return term
  if ('trimmed_length' in term) return [...String(body[term.trimmed_length] ?? '').trim()].length
  if ('value' in term) return Number(body[term.value] ?? term.default ?? 0)
  const list = body['sum' in term ? term.sum : term.count]
  if (!Array.isArray(list)) return 0
  return 'count' in term ? list.length : list.reduce((sum, item) => sum + Number(item), 0)
}

function isMet(condition: Condition, body: Body): boolean {
  const present = Object.hasOwn(body, condition.field)
  if (condition.present !== undefined) return present === condition.present
  const value = present ? body[condition.field] : condition.default
  if (condition.one_of) return condition.one_of.includes(value)
  const measured =
    condition.items_min !== undefined || condition.items_max !== undefined ? (Array.isArray(value) ? value.length : 0) : Number(value)
  const [min, max] = [condition.min ?? condition.items_min ?? -Infinity, condition.max ?? condition.items_max ?? Infinity]
  return measured >= min && measured <= max
}
