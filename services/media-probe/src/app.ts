import type { Log } from '@filmgate/kit/log'
import { renderError } from '@filmgate/kit/render-error'
import { health, type Readiness } from '@filmgate/kit/server'
import { Elysia } from 'elysia'
import { reasons } from './errors'
import { type OperatorDeps, operator } from './operator/routes'

export type Deps = OperatorDeps & { log: Log; readiness: Readiness }

/** Joins the routes; makes nothing. */
export const createApp = (deps: Deps) =>
  new Elysia({ normalize: false }).use(renderError(deps.log, reasons)).use(health(deps.readiness)).use(operator(deps))
