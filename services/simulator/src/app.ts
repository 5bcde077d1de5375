import { renderError } from '@filmgate/kit/http/render-error'
import { health, metrics, type Readiness } from '@filmgate/kit/http/server'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { type AdminDeps, admin } from './admin/routes'
import { ark } from './ark/routes'
import { dashScope } from './dashscope/routes'
import type { ProviderDeps } from './engine/provider'
import { serve } from './engine/serve'
import { reasons } from './errors'
import { fal } from './fal/routes'
import type { CallbackKey } from './fal/sign-callback'
import { type FalStorageDeps, falStorageFace } from './fal/storage-routes'
import { type GenerationDeps, generations } from './generation/routes'
import { type GoogleDeps, google } from './google/routes'
import { kling } from './kling/routes'
import { minimaxH3, minimaxHailuo } from './minimax/routes'
import { openAiVideos } from './openai-videos/routes'
import { type OutputDeps, outputs } from './output/routes'
import { type PixverseDeps, pixverse } from './pixverse/routes'
import { replicate } from './replicate/routes'
import { runwareFace } from './runware/routes'
import { vidu } from './vidu/routes'
import { xai } from './xai/routes'

export type Deps = GenerationDeps &
  ProviderDeps &
  FalStorageDeps &
  GoogleDeps &
  PixverseDeps &
  AdminDeps &
  OutputDeps &
  Pick<CallbackKey, 'keySet'> & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export const createApp = (deps: Deps) =>
  new Elysia({ normalize: false })
    .use(renderError(deps.log, reasons))
    .use(health(deps.readiness))
    .use(metrics())
    .use(generations(deps))
    .use(falStorageFace(deps))
    .use(serve(fal(deps), deps))
    .use(serve(kling, deps))
    .use(runwareFace(deps))
    .use(serve(ark, deps))
    .use(serve(minimaxH3, deps))
    .use(serve(minimaxHailuo, deps))
    .use(serve(google(deps, 'v1beta'), deps))
    .use(serve(google(deps, 'v1'), deps))
    .use(serve(dashScope, deps))
    .use(serve(vidu, deps))
    .use(serve(pixverse(deps), deps))
    .use(serve(xai, deps))
    .use(serve(replicate, deps))
    .use(serve(openAiVideos(deps), deps))
    .use(admin(deps))
    .use(outputs(deps))
