import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { StripeApi } from '../stripe/stripe-api'
import { receiveEvent } from './receive-event'

export type UndeliveredDeps = { sql: Sql; log: Log; stripe: StripeApi; now(): Date; wakeEvents(): void }

/** As long as Stripe shows an event: what can't be read, or was not told for a week, is there to be fetched once we are mended. */
const lookBackMs = 30 * 86_400_000

/** Fetches what Stripe could not deliver, such as refunds and disputes while the console was unreachable, and keeps it as if it had been delivered. */
export async function receiveUndelivered({ sql, log, stripe, now, wakeEvents }: UndeliveredDeps): Promise<void> {
  for (const event of await stripe.listUndelivered(new Date(now().getTime() - lookBackMs))) {
    try {
      if (await receiveEvent(sql, event)) wakeEvents()
    } catch (error) {
      log.error({ err: error, event: event.id, type: event.type }, 'an event of Stripe can’t be kept')
    }
  }
}
