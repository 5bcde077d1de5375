import type { Log } from '@filmgate/kit/log'
import { renderError } from '@filmgate/kit/render-error'
import { health, type Readiness } from '@filmgate/kit/server'
import { Elysia } from 'elysia'
import { type AdminDeps, admin } from './behaviour/routes'
import { reasons } from './errors'
import { type GenerationDeps, generations } from './generation/routes'
import { type OutputDeps, outputs } from './output/routes'

export type Deps = GenerationDeps & AdminDeps & OutputDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export const createApp = (deps: Deps) =>
  new Elysia({ normalize: false })
    .use(renderError(deps.log, reasons))
    .use(health(deps.readiness))
    .use(generations(deps))
    .use(admin(deps))
    .use(outputs(deps))
