import { nearestWord } from '@filmgate/kit/nearest-word'
import type { Field, ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { scalarValue } from '@filmgate/proto/scalar'
import { type Issue, issuesMax, type Values } from '../issues/issue'
import { either, show } from '../issues/wording'
import { compileRule } from '../rules/compile-rule'
import { type CheckValue, compileField } from './compile-field'
import type { GenerationRequest } from './request'

export type CompiledMode = {
  readonly model: string
  readonly name: string
  readonly mode: ModelMode
  readonly fieldNames: ReadonlySet<string>
  /** The request is to be used only where there are no issues. Properties that the mode doesn't have are left to `unsupportedFields`. */
  check(body: Values): { request: GenerationRequest; issues: Issue[] }
}

type CompiledField = { name: string; required: boolean; follows: string; fallback: unknown; check: CheckValue; source: Field }

export function compileMode(model: string, mode: ModelMode): CompiledMode {
  const fields = mode.fields.map(
    (field): CompiledField => ({
      name: field.name,
      required: field.required,
      follows: field.follows,
      fallback: field.default && scalarValue(field.default),
      check: compileField(field),
      source: field,
    }),
  )
  const rules = mode.rules.map(compileRule)
  const fieldNames = new Set(['model', 'mode', ...fields.map(field => field.name)])

  function check(body: Values): { request: GenerationRequest; issues: Issue[] } {
    const issues: Issue[] = []
    const values: Values = { model, mode: mode.name }
    const faulty = new Set<string>()
    for (const field of fields) {
      const before = issues.length
      if (Object.hasOwn(body, field.name)) values[field.name] = field.check(body[field.name], field.name, issues)
      else if (field.required) issues.push({ path: field.name, rule: 'required', message: `${field.name} is required in ${mode.name}` })
      else if (field.fallback !== undefined) values[field.name] = field.fallback
      else if (field.follows) values[field.name] = sumOf(body[field.follows])
      if (issues.length > before) faulty.add(field.name)
    }
    for (const rule of rules) {
      if (faulty.size === 0 || !rule.fields.some(name => faulty.has(name))) rule.check(values, issues)
    }
    // Every field was checked against the card, and the contract's fields have these types.
    return { request: values as GenerationRequest, issues }
  }

  return { model, name: mode.name, mode, fieldNames, check }
}

const sumOf = (list: unknown): number | undefined =>
  Array.isArray(list) ? list.reduce((sum: number, item) => sum + (Number.isInteger(item) ? item : 0), 0) : undefined

/** Properties the mode doesn't have, each with the name that may have been meant or the mode that takes it. */
export function unsupportedFields(body: Values, mode: CompiledMode, modes: ReadonlyMap<string, CompiledMode>): Issue[] {
  const issues: Issue[] = []
  for (const name of Object.keys(body)) {
    if (mode.fieldNames.has(name)) continue
    if (issues.length === issuesMax) break
    issues.push({ path: shortened(name), rule: 'unsupported_field', message: unsupportedWords(name, mode, modes) })
  }
  return issues
}

function unsupportedWords(name: string, mode: CompiledMode, modes: ReadonlyMap<string, CompiledMode>): string {
  const elsewhere = [...modes.values()].filter(other => other.fieldNames.has(name)).map(other => other.name)
  if (elsewhere.length > 0) return `${name} is not taken in ${mode.name}: ${mode.model} takes it in ${either(elsewhere, 'and')}`
  const meant = name.length <= nameCharactersMax ? nearestWord(name, mode.fieldNames) : undefined
  return `${mode.model} does not take ${show(name)}${meant ? `; did you mean ${meant}?` : ''}`
}

const nameCharactersMax = 64
const shortened = (name: string): string => (name.length <= nameCharactersMax ? name : `${name.slice(0, nameCharactersMax - 1)}…`)
