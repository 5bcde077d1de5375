import type { Api } from '../../support/client/api'
import type { DefaultRoutes, FieldMapping, FieldMappings, ModelRoutes, Route } from '../default-routes'

const mode = 'text-to-video'

/** A model for each provider, no two the same; those with the fewest to choose from choose first. */
export function assignModels(providers: string[], { models }: DefaultRoutes): Map<string, string> {
  const choices = providers.map(provider => ({
    provider,
    models: Object.keys(models).filter(model => models[model]?.routes.some(route => route.provider === provider && route.mode === mode)),
  }))
  const assigned = new Map<string, string>()
  for (const { provider, models: own } of choices.toSorted((a, b) => a.models.length - b.models.length)) {
    const model = own.find(one => ![...assigned.values()].includes(one))
    if (!model) throw new Error(`no model is left for ${provider}, of ${own.join(', ')}`)
    assigned.set(provider, model)
  }
  return assigned
}

/** Routes of these models, each to its provider alone. */
export function routesTo(assigned: Map<string, string>, { models }: DefaultRoutes): Record<string, ModelRoutes> {
  const own = [...assigned].map(([provider, model]) => [model, routesAt(models[model], provider)])
  return Object.fromEntries(own)
}

/** A model's routes to these providers, in their order. */
export const routesAt = (file: ModelRoutes | undefined, ...providers: string[]): ModelRoutes => ({
  ...file,
  routes: providers.flatMap(provider => file?.routes.filter(route => route.provider === provider) ?? []),
})

/** The first request in the fields of a provider's routes that is one of the model's card too. */
export async function findRequest(
  api: Api,
  provider: string,
  model: string,
  { models, fields }: DefaultRoutes,
): Promise<Record<string, unknown>> {
  const routes = routesAt(models[model], provider).routes.filter(route => route.mode === mode)
  for (const route of routes)
    for (const values of saidBy({ ...fields[provider], ...route.fields }, route.model)) {
      const request = { model, mode, ...values }
      if ((await api.estimate({ ...request, prompt: 'words' })).status === 200) return request
    }
  throw new Error(`${provider} has no mapping for any request of ${model}`)
}

const chosenFields = ['duration', 'resolution', 'aspect_ratio', 'generate_audio']

/** Requests in all the values that the mapping lists; what it takes as it is stays unsaid, so that the card's default is meant. */
function saidBy(mappings: FieldMappings, model: Route['model']): Record<string, unknown>[] {
  return chosenFields.reduce<Record<string, unknown>[]>(
    (requests, field) => {
      const values = field === 'resolution' && typeof model === 'object' ? Object.keys(model) : valuesOf(field, mappings[field])
      return requests.flatMap(request => values.map(value => (value === undefined ? request : { ...request, [field]: value })))
    },
    [{}],
  )
}

function valuesOf(field: string, mapping: FieldMapping | string | undefined): unknown[] {
  if (field === 'generate_audio') return mapping === undefined ? [undefined] : [undefined, false, true]
  if (mapping === undefined || typeof mapping === 'string') return [undefined]
  const names = Array.isArray(mapping.values) ? mapping.values : Object.keys(mapping.values ?? {})
  if (names.length > 0) return field === 'duration' ? names.map(Number) : widestFirst(names)
  return field === 'duration' && mapping.min !== undefined ? integers(mapping.min, mapping.max ?? mapping.min) : [undefined]
}

const integers = (min: number, max: number): number[] => Array.from({ length: max - min + 1 }, (_, at) => min + at)
const widestFirst = (names: string[]): string[] => names.toSorted((a, b) => Number(b === '16:9') - Number(a === '16:9'))
