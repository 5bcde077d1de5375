import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { topicName } from '@filmgate/proto/topics'
import { type Decision, findDecisions } from './decision-repository'

export type ReplayDeps = { outbox: Outbox; topicPrefix: string }

const replayed = counter('probe_events_replayed', 'Events published again for a duplicate order or by an operator')

/** Publishes these tasks' decisions again, unchanged. Undecided tasks have none. */
export const replay = (deps: ReplayDeps, taskIds: string[]): Promise<Decision[]> =>
  deps.outbox.transaction(async (sql, send) => {
    const decisions = await findDecisions(sql, taskIds)
    send(decisions.map(({ accountId, event }) => ({ topic: topicName(deps.topicPrefix, 'media'), key: accountId, value: event })))
    replayed.add(decisions.length)
    return decisions
  })
