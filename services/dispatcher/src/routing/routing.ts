import type { Connector } from '../makers/connector'

/** One way to have a model made. Without `model` the maker knows it by our name. */
export type Route = { maker: string; model?: string }

/** The routing file: a list for each model, tried in order; `default` where a model has none. */
export type RouteFile = { default: Route[]; models: Record<string, Route[]> }

export type ReadyRoute = { connector: Connector; makerModel: string }

export type Routing = {
  /** Routes of a model whose makers are configured, best first. */
  routesOf(model: string): ReadyRoute[]
  connectorOf(maker: string): Connector | undefined
  connectors: Connector[]
}

export function createRouting(file: RouteFile, connectors: Connector[]): Routing {
  const byMaker = new Map(connectors.map(connector => [connector.maker, connector]))
  return {
    connectors,
    connectorOf: maker => byMaker.get(maker),
    routesOf: model =>
      (file.models[model] ?? file.default).flatMap(route => {
        const connector = byMaker.get(route.maker)
        return connector ? [{ connector, makerModel: route.model ?? model }] : []
      }),
  }
}
