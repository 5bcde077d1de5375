import { ConfigError } from '@filmgate/kit/environment/variables'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Connector } from '../makers/connector'
import { fieldsWithoutWord, takesValue } from '../makers/words/request-fields'
import { type RouteWords, type WireValue, type Words, wordFor } from '../makers/words/words'
import { costOf, type PlannedCost, type RouteCost } from './route-cost'

/** One way to have a model made. */
export type Route = {
  maker: string
  /** The maker's name of the model, or one for each resolution that it has. Absent: ours. */
  model?: string | Record<string, string>
  /** The one mode that it is for, with the maker's words for it. Absent: every mode, at a maker that knows our own words. */
  mode?: string
  words?: Words
  /** Sent with every order, in the maker's words. */
  always?: Record<string, WireValue>
  /** An order that costs its client more does not go this way. */
  credits_max?: number
  /** Where its words were read: the maker's published client, its page of the model, or somebody else's note. For the reader. */
  source?: 'sdk' | 'page' | 'second-hand'
  /** What it costs us. Absent: only what its maker tells is known. */
  cost?: RouteCost
}

/** The routing file: a list for each model, tried in order; `default` where a model has none. */
export type RouteFile = {
  default: Route[]
  models: Record<string, Route[]>
  /** By maker: words that all of its routes have which don't say otherwise. */
  words?: Record<string, Words>
  /** By model: what of its card may have no word at any maker, so that it is no slip where none has it. */
  lacks?: Record<string, string[]>
  /** By maker and model: what may have no word there, though another maker has one. It is no slip where all configured makers say so. */
  lacks_at?: Record<string, Record<string, string[]>>
}

/** A route that an order can take, the maker's name of the model among it, and what the order costs us there. */
export type ReadyRoute = { connector: Connector; makerModel: string; words: RouteWords; cost?: PlannedCost }

/** A route whose maker is configured, with all its words. */
export type ConfiguredRoute = Route & { connector: Connector; words: Words }

export type Routing = {
  /** The routes that an order can take, best first: their makers are configured and have a word for all that it says. */
  routesOf(order: Order): ReadyRoute[]
  /** Routes of a model whose makers are configured, best first; one to a maker that stands in only where no other maker has any. */
  configuredRoutes(model: string): ConfiguredRoute[]
  /** What of a model's card may have no word at any maker. */
  lacksOf(model: string): string[]
  lacksAt(maker: string, model: string): string[]
  /** Every maker that the file has a route to, on or not, in the order of its first one. */
  makers: string[]
  connectorOf(maker: string): Connector | undefined
  connectors: Connector[]
}

/** Throws ConfigError that names each route without the words which its maker needs. */
export function createRouting(file: RouteFile, connectors: Connector[]): Routing {
  const byMaker = new Map(connectors.map(connector => [connector.maker, connector]))
  const everyRoute = (model: string): ConfiguredRoute[] =>
    (file.models[model] ?? file.default).flatMap(route => {
      const connector = byMaker.get(route.maker)
      const words = { ...connector?.words, ...(route.words && { ...file.words?.[route.maker], ...route.words }) }
      return connector ? [{ ...route, connector, words }] : []
    })
  const configuredRoutes = (model: string): ConfiguredRoute[] => {
    const routes = everyRoute(model)
    const real = routes.filter(({ connector }) => !connector.capabilities.standsIn)
    return real.length > 0 ? real : routes
  }
  const wordless = Object.keys({ default: null, ...file.models }).flatMap(model =>
    everyRoute(model)
      .filter(({ mode, words }) => !wordFor(words, 'mode') && !(mode && Object.keys(words).length > 0))
      .map(({ maker }) => `the routes of ${model}: one to ${maker} needs its mode and words`),
  )
  if (wordless.length > 0) throw new ConfigError([...new Set(wordless)])
  return {
    makers: [...new Set([...Object.values(file.models), file.default].flat().map(({ maker }) => maker))],
    connectors,
    connectorOf: maker => byMaker.get(maker),
    configuredRoutes,
    lacksOf: model => file.lacks?.[model] ?? [],
    lacksAt: (maker, model) => file.lacks_at?.[maker]?.[model] ?? [],
    routesOf: order => configuredRoutes(order.model).flatMap(route => readyRoute(route, order) ?? []),
  }
}

function readyRoute(route: ConfiguredRoute, order: Order): ReadyRoute | undefined {
  const { connector, words, always } = route
  if (order.credits > (route.credits_max ?? Number.POSITIVE_INFINITY)) return undefined
  const makerModel = makerModelOf(route.model, order.model, order.resolution)
  if (makerModel === undefined || !takesMode(route, order.mode)) return undefined
  const ready = { connector, makerModel, ...(route.cost && { cost: costOf(route.cost, order) }) }
  const whole = { words: withResolution(words, route.model), always: always ?? {} }
  return fieldsWithoutWord(whole.words, order).length === 0 ? { ...ready, words: whole } : undefined
}

/** Whether it is for this mode: its one mode, or one that its maker has a word for. */
export const takesMode = ({ mode, words }: ConfiguredRoute, name: string): boolean =>
  mode === undefined ? takesValue(words, 'mode', name) : mode === name

function makerModelOf(model: Route['model'], ours: string, resolution: string): string | undefined {
  if (typeof model !== 'object') return model ?? ours
  return Object.hasOwn(model, resolution) ? model[resolution] : undefined
}

/** Where the maker's name of the model says the resolution, nothing is sent for it. */
export const withResolution = (words: Words, model: Route['model']): Words =>
  typeof model === 'object' ? { ...words, resolution: { values: Object.fromEntries(Object.keys(model).map(one => [one, null])) } } : words
