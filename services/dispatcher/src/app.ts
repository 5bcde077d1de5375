import type { Log } from '@filmgate/kit/log'
import { logActs } from '@filmgate/kit/log-acts'
import { type OutboxRouteDeps, outboxRoutes } from '@filmgate/kit/outbox/routes'
import { renderError } from '@filmgate/kit/render-error'
import { listRoutes } from '@filmgate/kit/request/list-routes'
import { health, type Readiness } from '@filmgate/kit/server'
import { spans } from '@filmgate/kit/spans'
import { Elysia } from 'elysia'
import { type MakerRouteDeps, makers } from './absence/routes'
import { reasons } from './errors'
import { type RetellingDeps, retelling } from './retelling/routes'
import { type OperatorDeps, operator } from './review/routes'

export type Deps = OperatorDeps & RetellingDeps & MakerRouteDeps & OutboxRouteDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export function createApp(deps: Deps) {
  const app = new Elysia({ normalize: false })
    .use(spans(deps.log))
    .use(renderError(deps.log, reasons))
    .use(logActs(deps.log))
    .use(health(deps.readiness))
    .use(operator(deps))
    .use(retelling(deps))
    .use(makers(deps))
    .use(outboxRoutes(deps))
  return app.use(listRoutes(() => app, deps.operatorToken))
}
