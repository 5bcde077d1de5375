import type { Log } from '@filmgate/kit/log'
import { logActs } from '@filmgate/kit/log-acts'
import { type OutboxRouteDeps, outboxRoutes } from '@filmgate/kit/outbox/routes'
import { renderError } from '@filmgate/kit/render-error'
import { listRoutes } from '@filmgate/kit/request/list-routes'
import { health, type Readiness } from '@filmgate/kit/server'
import { Elysia } from 'elysia'
import { reasons } from './errors'
import { type OperatorDeps, operator } from './operator/routes'

export type Deps = OperatorDeps & OutboxRouteDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export function createApp(deps: Deps) {
  const app = new Elysia({ normalize: false })
    .use(renderError(deps.log, reasons))
    .use(logActs(deps.log))
    .use(health(deps.readiness))
    .use(operator(deps))
    .use(outboxRoutes(deps))
  return app.use(listRoutes(() => app, deps.operatorToken))
}
