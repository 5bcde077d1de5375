import { renderError } from '@filmgate/kit/http/render-error'
import { health, metrics, type Readiness } from '@filmgate/kit/http/server'
import { countRoutes, spans } from '@filmgate/kit/http/spans'
import { listRoutes } from '@filmgate/kit/operator/list-routes'
import { logOperatorCalls } from '@filmgate/kit/operator/log-operator-calls'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { type ProviderRouteDeps, providerRoutes } from './absence/operator-routes'
import { type CostRouteDeps, costRoutes } from './cost/operator-routes'
import { reasons } from './errors'
import { type FactRouteDeps, factRoutes } from './facts/operator-routes'
import { type HoldRouteDeps, holdRoutes } from './holds/operator-routes'
import { type OutcomeRouteDeps, outcomeRoutes } from './outcomes/operator-routes'
import { type RecoveryRouteDeps, recoveryRoutes } from './recovery/operator-routes'
import { type BulkRouteDeps, bulkReviewRoutes } from './review/bulk/operator-routes'
import { type ReviewRouteDeps, reviewRoutes } from './review/operator-routes'
import { type MarginRouteDeps, marginRoutes } from './routing/margins/operator-routes'

export type Deps = ReviewRouteDeps &
  BulkRouteDeps &
  RecoveryRouteDeps &
  ProviderRouteDeps &
  HoldRouteDeps &
  CostRouteDeps &
  FactRouteDeps &
  OutcomeRouteDeps &
  MarginRouteDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export function createApp(deps: Deps) {
  const app = new Elysia({ normalize: false })
    .use(spans(deps.log))
    .use(renderError(deps.log, reasons))
    .use(logOperatorCalls(deps.log))
    .use(health(deps.readiness))
    .use(metrics())
    .use(reviewRoutes(deps))
    .use(bulkReviewRoutes(deps))
    .use(recoveryRoutes(deps))
    .use(providerRoutes(deps))
    .use(holdRoutes(deps))
    .use(costRoutes(deps))
    .use(factRoutes(deps))
    .use(outcomeRoutes(deps))
    .use(marginRoutes(deps))
  return countRoutes(app.use(listRoutes(app, deps.operators)))
}
