import type { Sql } from '@filmgate/kit/database/postgres'
import { runJobsNow } from '@filmgate/kit/jobs/job-repository'
import type { CallbacksEvent } from '@filmgate/proto/gen/filmgate/v1/callbacks_pb'
import { attemptJob } from '../attempt/jobs'
import type { Connector } from '../makers/connector'
import { type CalledBack, keepCalledBackIds } from './follow-repository'

export type CalledBackDeps = {
  sql: Sql
  connectorOf(maker: string): Pick<Connector, 'capabilities'> | undefined
  /** Has due attempts looked at now. */
  wake(): void
}

/** What a row and a URL hold. */
const idForm = /^[A-Za-z0-9_-]{1,100}$/

/**
 * Makers called back: their attempts are asked about now instead of later. Of what such a call says only an id is taken up, from a maker that signs and
 * where the gateway verified it, and the maker is asked for that id before it counts.
 */
export async function takeCallbacks({ sql, connectorOf, wake }: CalledBackDeps, events: CallbacksEvent['event'][]): Promise<void> {
  const calls = events.flatMap(event => (event.case === 'makerCalledBack' ? [event.value] : []))
  if (calls.length === 0) return
  const named = new Map(
    calls
      .filter(({ maker, makerTaskId }) => idForm.test(makerTaskId) && connectorOf(maker)?.capabilities.callback === 'signed')
      .map(({ attemptToken: attemptId, maker, makerTaskId }): [string, CalledBack] => [attemptId, { attemptId, maker, makerTaskId }]),
  )
  if (named.size > 0) await keepCalledBackIds(sql, [...named.values()])
  await runJobsNow(sql, attemptJob, [...new Set(calls.map(({ attemptToken }) => attemptToken))])
  wake()
}
