import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { StripeApi } from '../stripe/stripe-api'
import { receiveEvent } from './receive-event'

export type UndeliveredDeps = { sql: Sql; log: Log; stripe: StripeApi; now(): Date; wakeEvents(): void }

/** As long as Stripe lists events. An event that can't be read, or was never delivered, can be fetched after a fix. */
const lookBackMs = 30 * 86_400_000

/**
 * Fetches events that Stripe could not deliver, such as those sent while the console was unreachable, and stores them
 * like delivered ones.
 */
export async function receiveUndelivered({ sql, log, stripe, now, wakeEvents }: UndeliveredDeps): Promise<void> {
  for (const event of await stripe.listUndelivered(new Date(now().getTime() - lookBackMs))) {
    try {
      if (await receiveEvent(sql, event)) wakeEvents()
    } catch (error) {
      log.error({ err: error, event: event.id, type: event.type }, 'storing a Stripe event failed')
    }
  }
}
