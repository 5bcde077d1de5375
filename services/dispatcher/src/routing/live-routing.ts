import type { Routing } from './routing'

export type LiveRouting = Routing & {
  /** From now on this one is in force; what was planned by the one before is sent by it. */
  replace(next: Routing): void
}

/** The routing in force, for whoever asks at whatever time. */
export function createLiveRouting(first: Routing): LiveRouting {
  let inForce = first
  return {
    routesOf: order => inForce.routesOf(order),
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
