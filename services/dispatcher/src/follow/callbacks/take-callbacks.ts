import type { Sql } from '@filmgate/kit/database/postgres'
import { runJobsNow } from '@filmgate/kit/jobs/job-repository'
import type { CallbacksEvent } from '@filmgate/proto/gen/filmgate/v1/callbacks_pb'
import { attemptJob } from '../../attempt/jobs'
import type { Connector } from '../../providers/connector'
import { type CalledBack, keepCalledBackIds } from '../follow-repository'

export type CalledBackDeps = {
  sql: Sql
  connectorOf(provider: string): Pick<Connector, 'capabilities'> | undefined
  /** Has due attempts looked at now. */
  wake(): void
}

/** What a row and a URL hold. */
const idForm = /^[A-Za-z0-9_-]{1,100}$/

/**
 * Providers called back: their attempts are asked about now instead of later. Of what such a call says only an id is taken up, from a provider that signs and
 * where the gateway verified it, and the provider is asked for that id before it counts.
 */
export async function takeCallbacks({ sql, connectorOf, wake }: CalledBackDeps, events: CallbacksEvent['event'][]): Promise<void> {
  const calls = events.flatMap(event => (event.case === 'providerCalledBack' ? [event.value] : []))
  if (calls.length === 0) return
  const named = new Map(
    calls
      .filter(({ provider, providerTaskId }) => idForm.test(providerTaskId) && connectorOf(provider)?.capabilities.callback === 'signed')
      .map(({ attemptToken: attemptId, provider, providerTaskId }): [string, CalledBack] => [
        attemptId,
        { attemptId, provider, providerTaskId },
      ]),
  )
  if (named.size > 0) await keepCalledBackIds(sql, [...named.values()])
  await runJobsNow(sql, attemptJob, [...new Set(calls.map(({ attemptToken }) => attemptToken))])
  wake()
}
