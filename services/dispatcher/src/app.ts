import { renderError } from '@filmgate/kit/http/render-error'
import { health, type Readiness } from '@filmgate/kit/http/server'
import { spans } from '@filmgate/kit/http/spans'
import { listRoutes } from '@filmgate/kit/operator/list-routes'
import { logActs } from '@filmgate/kit/operator/log-acts'
import { type OutboxRouteDeps, outboxRoutes } from '@filmgate/kit/outbox/routes'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { type ProviderRouteDeps, providerRoutes } from './absence/operator-routes'
import { type CostRouteDeps, costRoutes } from './cost/operator-routes'
import { reasons } from './errors'
import { type RetellingRouteDeps, retellingRoutes } from './retelling/operator-routes'
import { type ReviewRouteDeps, reviewRoutes } from './review/operator-routes'
import { type MarginRouteDeps, marginRoutes } from './routing/margins/operator-routes'

export type Deps = ReviewRouteDeps &
  RetellingRouteDeps &
  ProviderRouteDeps &
  CostRouteDeps &
  MarginRouteDeps &
  OutboxRouteDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export function createApp(deps: Deps) {
  const app = new Elysia({ normalize: false })
    .use(spans(deps.log))
    .use(renderError(deps.log, reasons))
    .use(logActs(deps.log))
    .use(health(deps.readiness))
    .use(reviewRoutes(deps))
    .use(retellingRoutes(deps))
    .use(providerRoutes(deps))
    .use(costRoutes(deps))
    .use(marginRoutes(deps))
    .use(outboxRoutes(deps))
  return app.use(listRoutes(app, deps.operators))
}
