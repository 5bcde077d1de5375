import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Connector } from '../providers/connector'
import type { ConfiguredRoute, ReadyRoute, Routing } from './routing'

/** `probe`: held, and one order may try it now. */
export type RouteState = 'open' | 'probe' | 'held'

/** Whether orders of a model may go to a provider; everywhere is open where nothing is held. */
export type StateOfRoute = (connector: Connector, model: string) => RouteState

export type LiveRouting = Routing & {
  /** With the routes that a probe may try, which `routesOf` leaves out as it does those that are held. */
  routesToTry(order: Order): ReadyRoute[]
  /** Of the configured routes of a model those that are open, and those that a probe may try. */
  offeredRoutes(model: string): { open: ConfiguredRoute[]; probes: ConfiguredRoute[] }
  /** From now on this one is in force; what was planned by the one before is sent by it. */
  replace(next: Routing): void
}

/** The routing in force without what is held, for whoever asks at whatever time. */
export function createLiveRouting(first: Routing, stateOf: StateOfRoute = () => 'open'): LiveRouting {
  let inForce = first
  return {
    routesOf: order => inForce.routesOf(order).filter(({ connector }) => stateOf(connector, order.model) === 'open'),
    routesToTry: order =>
      inForce.routesOf(order).flatMap(route => {
        const state = stateOf(route.connector, order.model)
        return state === 'held' ? [] : [state === 'probe' ? { ...route, probe: true } : route]
      }),
    offeredRoutes(model) {
      const routes = Map.groupBy(inForce.configuredRoutes(model), ({ connector }) => stateOf(connector, model))
      return { open: routes.get('open') ?? [], probes: routes.get('probe') ?? [] }
    },
    configuredRoutes: model => inForce.configuredRoutes(model),
    lacksOf: model => inForce.lacksOf(model),
    lacksAt: (provider, model) => inForce.lacksAt(provider, model),
    connectorOf: provider => inForce.connectorOf(provider),
    get providers() {
      return inForce.providers
    },
    get connectors() {
      return inForce.connectors
    },
    replace(next) {
      inForce = next
    },
  }
}
