import type { Log } from '@filmgate/kit/log'
import { renderError } from '@filmgate/kit/render-error'
import { health, type Readiness } from '@filmgate/kit/server'
import { Elysia } from 'elysia'

/** What of kit's framework this service may answer; its own refusals travel as events. */
const reasons = {
  not_found: [404, 'No such route.'],
  invalid_json: [400, 'The body is not JSON.'],
  internal_error: [500, 'Something went wrong on our side.'],
} as const

export const createApp = ({ log, readiness }: { log: Log; readiness: Readiness }) =>
  new Elysia({ normalize: false }).use(renderError(log, reasons)).use(health(readiness))
