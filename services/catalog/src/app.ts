import { renderError } from '@filmgate/kit/http/render-error'
import { health, metrics, type Readiness } from '@filmgate/kit/http/server'
import type { Log } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { reasons } from './errors'

/** Joins the routes; makes nothing. */
export const createApp = ({ log, readiness }: { log: Log; readiness: Readiness }) =>
  new Elysia({ normalize: false }).use(renderError(log, reasons)).use(health(readiness)).use(metrics())
