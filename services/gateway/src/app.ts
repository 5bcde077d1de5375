import { Failure } from '@filmgate/kit/failure'
import { renderError } from '@filmgate/kit/http/render-error'
import { health, type Readiness } from '@filmgate/kit/http/server'
import { countRoutes, spans } from '@filmgate/kit/http/spans'
import { listRoutes } from '@filmgate/kit/operator/list-routes'
import { logOperatorCalls } from '@filmgate/kit/operator/log-operator-calls'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { type CreditsDeps, credits } from './balances/routes'
import { type CancelRouteDeps, cancelRoute } from './cancel/routes'
import { type ConsoleDeps, consoleRoutes } from './console/routes'
import { authorizationServer } from './docs/authorization-server'
import { type DocsDeps, docs } from './docs/routes'
import { type SecurityContactDeps, securityContact } from './docs/security-contact'
import { type DownloadDeps, downloads } from './downloads/routes'
import { type Reason, reasons, wordsFor } from './errors'
import { type EstimateDeps, estimate } from './estimate/routes'
import type { CreateDeps } from './generations/create-generation'
import { generations } from './generations/routes'
import { type HookDeps, hooks } from './hooks/routes'
import type { AuthenticateDeps } from './keys/authenticate'
import { keySelf, type SelfDeps } from './keys/self/routes'
import { type ModelsDeps, models } from './models/routes'
import { shapeOpenAi } from './openai/error-view'
import { type OpenAiDeps, openAiModels, openAiVideos } from './openai/routes'
import { type OperatorDeps, operator } from './operator/routes'
import { limitAddress } from './rate-limit/limit-address'
import type { RequestLog } from './request-log/request-log'
import { type TaskEventsDeps, taskEventRoutes } from './tasks/events/routes'
import { listTasks } from './tasks/list-routes'
import { type TaskDeps, tasks } from './tasks/routes'
import { type UploadDeps, uploads } from './uploads/routes'
import { usage } from './usage/routes'
import type { UsageDeps } from './usage/show-usage'
import type { ForwardDeps } from './webhooks/forward'
import { webhookEndpoints } from './webhooks/routes'

export type Deps = { log: Log; readiness: Readiness; requestLog: Pick<RequestLog, 'add'> } & AuthenticateDeps &
  CreateDeps &
  TaskDeps &
  TaskEventsDeps &
  CancelRouteDeps &
  CreditsDeps &
  OperatorDeps &
  HookDeps &
  DocsDeps &
  SecurityContactDeps &
  ModelsDeps &
  EstimateDeps &
  ConsoleDeps &
  SelfDeps &
  OpenAiDeps &
  UploadDeps &
  DownloadDeps &
  UsageDeps &
  ForwardDeps

/** Methods of each path, for 405 with Allow. */
const allowed: [path: RegExp, methods: string][] = [
  [/^\/api\/v1\/(video\/(generations|estimate)|uploads|tasks\/[^/]+\/cancel)$/, 'POST'],
  [
    /^\/api\/v1\/(uploads\/[^/]+|tasks(\/[^/]+(\/(events|download))?)?|credits|keys\/self|models|usage(\/summary)?|webhook-endpoints\/[^/]+\/deliveries)$/,
    'GET',
  ],
  [/^\/api\/v1\/webhook-endpoints$/, 'GET, POST'],
  [/^\/api\/v1\/webhook-endpoints\/[^/]+$/, 'GET, PATCH, DELETE'],
  [/^\/api\/v1\/webhook-endpoints\/[^/]+\/(rotate|test|resume|replay)$/, 'POST'],
  [/^\/openai\/v1\/videos$/, 'GET, POST'],
  [/^\/openai\/v1\/videos\/[^/]+$/, 'GET, DELETE'],
  [/^\/openai\/v1\/(videos\/[^/]+\/content|models(\/[^/]+)?)$/, 'GET'],
]

/** Joins the routes; makes nothing. main.ts gives it what it has made, tests what they want to see. */
export function createApp(deps: Deps) {
  const app = new Elysia({ normalize: false })
    .use(spans(deps.log, deps.requestLog.add))
    .use(renderError(deps.log, reasons, { wordsFor, shapeFor: shapeOpenAi }))
    .use(logOperatorCalls(deps.log))
    .use(health(deps.readiness))
    .use(
      new Elysia({ prefix: '/api/v1', normalize: false })
        .use(generations(deps))
        .use(estimate(deps))
        .use(tasks(deps))
        .use(cancelRoute(deps))
        .use(listTasks(deps))
        .use(taskEventRoutes(deps))
        .use(credits(deps))
        .use(keySelf(deps))
        .use(models(deps))
        .use(uploads(deps))
        .use(downloads(deps))
        .use(usage(deps))
        .use(webhookEndpoints(deps)),
    )
    .use(new Elysia({ prefix: '/openai/v1', normalize: false }).use(openAiVideos(deps)).use(openAiModels(deps)))
    .use(docs(deps))
    .use(authorizationServer(deps))
    .use(securityContact(deps))
    .use(operator(deps))
    .use(consoleRoutes(deps))
    .use(hooks(deps))
    .all('/*', function noSuchRoute({ request, path, set }) {
      limitAddress(deps, request, { set })
      const methods = allowed.find(([form]) => form.test(path))?.[1]
      if (!methods || methods.split(', ').includes(request.method)) throw new Failure<Reason>('not_found')
      set.headers.allow = methods
      throw new Failure<Reason>('method_not_allowed')
    })
  return countRoutes(app.use(listRoutes(app, deps.operators)))
}
