import { hastenJobs } from '@filmgate/kit/jobs-repository'
import type { Sql } from '@filmgate/kit/postgres'
import type { CallbacksEvent } from '@filmgate/proto/gen/filmgate/v1/callbacks_pb'
import { attemptJob } from './jobs'

/** A maker called back: its attempt is looked at now instead of later. What the call said is not believed. */
export async function wakeAttempts({ sql, wake }: { sql: Sql; wake(): void }, events: CallbacksEvent['event'][]): Promise<void> {
  const tokens = events.flatMap(event => (event.case === 'makerCalledBack' ? [event.value.attemptToken] : []))
  if (tokens.length === 0) return
  await hastenJobs(sql, attemptJob, [...new Set(tokens)])
  wake()
}
