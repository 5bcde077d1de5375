import type { Log } from '@filmgate/kit/log'
import { type OutboxRouteDeps, outboxRoutes } from '@filmgate/kit/outbox/routes'
import { renderError } from '@filmgate/kit/render-error'
import { listRoutes } from '@filmgate/kit/request/list-routes'
import { health, type Readiness } from '@filmgate/kit/server'
import { spans } from '@filmgate/kit/spans'
import { Elysia } from 'elysia'
import { reasons } from './errors'
import { type RetellingDeps, retelling } from './retelling/routes'
import { type OperatorDeps, operator } from './review/routes'

export type Deps = OperatorDeps & RetellingDeps & OutboxRouteDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export function createApp(deps: Deps) {
  const app = new Elysia({ normalize: false })
    .use(spans(deps.log))
    .use(renderError(deps.log, reasons))
    .use(health(deps.readiness))
    .use(operator(deps))
    .use(retelling(deps))
    .use(outboxRoutes(deps))
  return app.use(listRoutes(() => app, deps.operatorToken))
}
