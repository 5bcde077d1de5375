import { nearestWord } from '@filmgate/kit/nearest-word'
import { type Issue, issuesMax } from '../issues/issue'
import { show } from '../issues/wording'
import type { Catalog } from './catalog-table'
import { type CompiledModel, isObject } from './compile-card'
import type { GenerationRequest } from './request'

/** `code` is the error code of the contract's list; an answer carries the issues as `details.issues`. */
export type Checked =
  | { ok: true; model: CompiledModel; request: GenerationRequest }
  | { ok: false; code: 'invalid_request' | 'unsupported_field' | 'unknown_model'; issues: Issue[] }

/** The model is looked at first and chooses the shape; a body that names none is for the catalog's default model. */
export function checkRequest(catalog: Catalog, body: unknown): Checked {
  if (!isObject(body)) return invalid([{ path: '', rule: 'type', message: 'the body must be a JSON object' }])
  const name = Object.hasOwn(body, 'model') ? body.model : catalog.defaultModel
  if (typeof name !== 'string') return invalid([{ path: 'model', rule: 'type', message: `model must be text, and is ${show(name)}` }])
  const model = catalog.models.get(name)
  if (!model) {
    const meant = name.length <= 64 ? nearestWord(name, catalog.models.keys()) : undefined
    const message = `there is no model ${show(name)}${meant ? `; did you mean ${meant}?` : ''}`
    return { ok: false, code: 'unknown_model', issues: [{ path: 'model', rule: 'enum', message }] }
  }
  const checked = model.check(body)
  return checked.ok ? { ok: true, model, request: checked.request } : invalid(checked.issues)
}

function invalid(issues: Issue[]): Checked {
  const code = issues.every(issue => issue.rule === 'unsupported_field') ? 'unsupported_field' : 'invalid_request'
  return { ok: false, code, issues: issues.slice(0, issuesMax) }
}
