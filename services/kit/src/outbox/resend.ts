import type { Resent } from '@filmgate/proto/operator/bus'
import type { Sql } from '../database/postgres'
import type { Log } from '../telemetry/log'
import { counter } from '../telemetry/metrics'
import { countOutbox } from './outbox-repository'
import { countPublished, movePublishedBack, type PublishedWindow } from './published-repository'

/** One statement's worth: with a week's events behind it, it ends well within its deadline. */
export const resendRowsMax = 5_000

export type ResendDeps = { sql: Sql; log: Log }
export type Resend = {
  topic?: string | undefined
  since: Date
  until?: Date | undefined
  limit: number
  dryRun: boolean
  reason: string
  by: string
}

const resent = counter('outbox_resent', 'Published events that an operator had sent again')

/**
 * Puts published events back into the outbox, in the order in which they were published and under their own ids; the sweeper sends them.
 * `until`: rows published later are left alone, so that whoever asks for portion after portion does not meet what was just sent again.
 */
export async function resendPublished({ sql, log }: ResendDeps, { limit, dryRun, reason, by, ...asked }: Resend): Promise<Resent> {
  const window: PublishedWindow = { topic: asked.topic, since: asked.since, until: asked.until ?? new Date() }
  const rowsMax = Math.min(limit, resendRowsMax)
  const events = dryRun ? await countPublished(sql, window, limit) : await movePublishedBack(sql, window, rowsMax)
  if (!dryRun) {
    resent.add(events)
    log.info({ ...window, events, reason, by }, 'published events are sent again')
  }
  return { events, waiting: await countOutbox(sql), until: window.until.toISOString() }
}
