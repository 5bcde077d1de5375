import { renderError } from '@filmgate/kit/http/render-error'
import { health, type Readiness } from '@filmgate/kit/http/server'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { type AdminDeps, admin } from './admin/routes'
import { arkFace } from './ark/routes'
import { dashScopeFace } from './dashscope/routes'
import { serve } from './engine/serve'
import { reasons } from './errors'
import { type FalDeps, falFace } from './fal/routes'
import { type FalStorageDeps, falStorageFace } from './fal/storage-routes'
import { type GenerationDeps, generations } from './generation/routes'
import { type GoogleDeps, googleFace } from './google/routes'
import { type KlingDeps, klingFace } from './kling/routes'
import { minimaxFace } from './minimax/routes'
import { type OutputDeps, outputs } from './output/routes'
import { type PixverseDeps, pixverseFace } from './pixverse/routes'
import { runwareFace } from './runware/routes'
import { viduFace } from './vidu/routes'
import { xai } from './xai/routes'

export type Deps = GenerationDeps &
  FalDeps &
  FalStorageDeps &
  GoogleDeps &
  KlingDeps &
  PixverseDeps &
  AdminDeps &
  OutputDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export const createApp = (deps: Deps) =>
  new Elysia({ normalize: false })
    .use(renderError(deps.log, reasons))
    .use(health(deps.readiness))
    .use(generations(deps))
    .use(falStorageFace(deps))
    .use(falFace(deps))
    .use(klingFace(deps))
    .use(runwareFace(deps))
    .use(arkFace(deps))
    .use(minimaxFace(deps))
    .use(googleFace(deps))
    .use(dashScopeFace(deps))
    .use(viduFace(deps))
    .use(pixverseFace(deps))
    .use(serve(xai, deps))
    .use(admin(deps))
    .use(outputs(deps))
