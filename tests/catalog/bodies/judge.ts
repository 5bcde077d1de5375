import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'
import type { PublishedCatalog, Rule } from '../models/published-models'
import { holds } from './evaluate-rules'

/** Tells for itself whether a body is valid, from nothing but the answer of GET /models. */
export function createJudge(catalog: PublishedCatalog): (body: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
  const modes = new Map<string, { validate: ValidateFunction; rules: Rule[] }>()
  for (const model of catalog.data) {
    for (const [mode, { schema }] of Object.entries(model.modes)) {
      modes.set(`${model.id} ${mode}`, { validate: ajv.compile(schema), rules: model.rules.filter(rule => rule.modes.includes(mode)) })
    }
  }
  const models = new Map(catalog.data.map(model => [model.id, model]))
  const defaultModel = catalog.data.find(model => model.default)?.id

  return body => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
    const request = body as Record<string, unknown>
    const model = models.get((Object.hasOwn(request, 'model') ? request.model : defaultModel) as string)
    const mode = Object.hasOwn(request, 'mode') ? request.mode : model?.default_mode
    const chosen = modes.get(`${model?.id} ${mode}`)
    return chosen !== undefined && typeof mode === 'string' && chosen.validate(request) && chosen.rules.every(rule => holds(rule, request))
  }
}
