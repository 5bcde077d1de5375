import { ConfigError } from '@filmgate/kit/environment/variables'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Connector } from '../providers/connector'
import { type FieldMappings, mappingOf, type RouteMapping, type WireValue } from '../providers/mapping/field-mapping'
import { takesValue, unmappedFields } from '../providers/mapping/request-fields'
import { costOf, type PlannedCost, type RouteCost } from './route-cost'

/** One way to have a model made. */
export type Route = {
  provider: string
  /** The provider's name of the model, or one for each resolution that it has. Absent: ours. */
  model?: string | Record<string, string>
  /** The one mode that it is for, with the provider's words for it. Absent: every mode, at a provider that knows our own words. */
  mode?: string
  fields?: FieldMappings
  /** Sent with every order, by the provider's names. */
  always?: Record<string, WireValue>
  /** An order that costs its client more does not go this way. */
  credits_max?: number
  /** Where its mapping was read: the provider's published client, its page of the model, or somebody else's note. For the reader. */
  source?: 'sdk' | 'page' | 'second-hand'
  /** What it costs us. Absent: only what its provider tells is known. */
  cost?: RouteCost
}

/** What the routing files say together: a list for each model, tried in order; `default` where a model has none. */
export type RouteTable = {
  default: Route[]
  models: Record<string, Route[]>
  /** By provider: the mapping of all its routes, where they have none of their own. */
  fields?: Record<string, FieldMappings>
  /** By model: what of its card may have no mapping at any provider, so that it is no slip where none has it. */
  lacks?: Record<string, string[]>
  /** By provider and model: what may have no mapping there, though another provider has one. It is no slip where all configured providers say so. */
  lacks_at?: Record<string, Record<string, string[]>>
}

/**
 * A route that an order can take, the provider's name of the model among it, and what the order costs us there. `probe`: its provider is held,
 * and one order may try it.
 */
export type ReadyRoute = { connector: Connector; providerModel: string; mapping: RouteMapping; cost?: PlannedCost; probe?: boolean }

/** A route whose provider is configured, with the mapping of all its fields. */
export type ConfiguredRoute = Route & { connector: Connector; fields: FieldMappings }

export type Routing = {
  /** The routes that an order can take, best first: their providers are configured and have a mapping for all that it says. */
  routesOf(order: Order): ReadyRoute[]
  /** Routes of a model whose providers are configured, best first; one to a provider that stands in only where no other provider has any. */
  configuredRoutes(model: string): ConfiguredRoute[]
  /** What of a model's card may have no mapping at any provider. */
  lacksOf(model: string): string[]
  lacksAt(provider: string, model: string): string[]
  /** Every provider that has a route, on or not, in the order of its first one. */
  providers: string[]
  connectorOf(provider: string): Connector | undefined
  connectors: Connector[]
}

/** Throws ConfigError that names each route without the mapping that its provider needs. */
export function createRouting(table: RouteTable, connectors: Connector[]): Routing {
  const byProvider = new Map(connectors.map(connector => [connector.provider, connector]))
  const everyRoute = (model: string): ConfiguredRoute[] =>
    (table.models[model] ?? table.default).flatMap(route => {
      const connector = byProvider.get(route.provider)
      const fields = { ...connector?.fields, ...(route.fields && { ...table.fields?.[route.provider], ...route.fields }) }
      return connector ? [{ ...route, connector, fields }] : []
    })
  const configuredRoutes = (model: string): ConfiguredRoute[] => {
    const routes = everyRoute(model)
    const real = routes.filter(({ connector }) => !connector.capabilities.standsIn)
    return real.length > 0 ? real : routes
  }
  const wordless = Object.keys({ default: null, ...table.models }).flatMap(model =>
    everyRoute(model)
      .filter(({ mode, fields }) => !mappingOf(fields, 'mode') && !(mode && Object.keys(fields).length > 0))
      .map(({ provider }) => `the routes of ${model}: one to ${provider} needs its mode and fields`),
  )
  if (wordless.length > 0) throw new ConfigError([...new Set(wordless)])
  return {
    providers: [...new Set([...Object.values(table.models), table.default].flat().map(({ provider }) => provider))],
    connectors,
    connectorOf: provider => byProvider.get(provider),
    configuredRoutes,
    lacksOf: model => table.lacks?.[model] ?? [],
    lacksAt: (provider, model) => table.lacks_at?.[provider]?.[model] ?? [],
    routesOf: order => configuredRoutes(order.model).flatMap(route => readyRoute(route, order) ?? []),
  }
}

function readyRoute(route: ConfiguredRoute, order: Order): ReadyRoute | undefined {
  const { connector, fields, always } = route
  if (order.credits > (route.credits_max ?? Number.POSITIVE_INFINITY)) return undefined
  const providerModel = providerModelOf(route.model, order.model, order.resolution)
  if (providerModel === undefined || !takesMode(route, order.mode)) return undefined
  const ready = { connector, providerModel, ...(route.cost && { cost: costOf(route.cost, order) }) }
  const whole = { fields: withResolution(fields, route.model), always: always ?? {} }
  return unmappedFields(whole.fields, order).length === 0 ? { ...ready, mapping: whole } : undefined
}

/** Whether it is for this mode: its one mode, or one that its provider has a mapping for. */
export const takesMode = ({ mode, fields }: ConfiguredRoute, name: string): boolean =>
  mode === undefined ? takesValue(fields, 'mode', name) : mode === name

function providerModelOf(model: Route['model'], ours: string, resolution: string): string | undefined {
  if (typeof model !== 'object') return model ?? ours
  return Object.hasOwn(model, resolution) ? model[resolution] : undefined
}

/** Where the provider's name of the model says the resolution, nothing is sent for it. */
export const withResolution = (fields: FieldMappings, model: Route['model']): FieldMappings =>
  typeof model === 'object' ? { ...fields, resolution: { values: Object.fromEntries(Object.keys(model).map(one => [one, null])) } } : fields
