import { renderError } from '@filmgate/kit/http/render-error'
import { health, metrics, type Readiness } from '@filmgate/kit/http/server'
import { listRoutes } from '@filmgate/kit/operator/list-routes'
import { logOperatorCalls } from '@filmgate/kit/operator/log-operator-calls'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { reasons } from './errors'
import { type OperatorDeps, operator } from './operator/routes'
import type { JudgeUploadDeps } from './verdicts/judge-upload'
import { verdicts } from './verdicts/routes'

export type Deps = OperatorDeps & { judging: JudgeUploadDeps } & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export function createApp(deps: Deps) {
  const app = new Elysia({ normalize: false })
    .use(renderError(deps.log, reasons))
    .use(logOperatorCalls(deps.log))
    .use(health(deps.readiness))
    .use(verdicts(deps.judging))
    .use(metrics())
    .use(operator(deps))
  return app.use(listRoutes(app, deps.operators))
}
