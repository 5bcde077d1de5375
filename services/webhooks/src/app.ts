import { renderError } from '@filmgate/kit/http/render-error'
import { health, metrics, type Readiness } from '@filmgate/kit/http/server'
import { listRoutes } from '@filmgate/kit/operator/list-routes'
import { logOperatorCalls } from '@filmgate/kit/operator/log-operator-calls'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { type CallbackRouteDeps, callbackRoutes } from './callbacks/routes'
import { type DeliveryRouteDeps, deliveryRoutes } from './deliveries/routes'
import { type PauseDeps, pauseRoutes } from './endpoints/pause-routes'
import { type EndpointRouteDeps, endpointRoutes } from './endpoints/routes'
import { reasons } from './errors'
import { type OperatorDeps, operator } from './operator/routes'

export type Deps = EndpointRouteDeps & CallbackRouteDeps & DeliveryRouteDeps & PauseDeps & OperatorDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export function createApp(deps: Deps) {
  const app = new Elysia({ normalize: false })
    .use(renderError(deps.log, reasons))
    .use(logOperatorCalls(deps.log))
    .use(health(deps.readiness))
    .use(endpointRoutes(deps))
    .use(callbackRoutes(deps))
    .use(deliveryRoutes(deps))
    .use(pauseRoutes(deps))
    .use(metrics())
    .use(operator(deps))
  return app.use(listRoutes(app, deps.operators))
}
