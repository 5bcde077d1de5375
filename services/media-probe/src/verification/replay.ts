import type { Sql } from '@filmgate/kit/database/postgres'
import { replayedRowsMax, replayPart } from '@filmgate/kit/operator/replay-body'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { ReplayPart } from '@filmgate/proto/operator/task'
import { oldestReplayed } from '@filmgate/proto/task-id'
import { topicName } from '@filmgate/proto/topics'
import { type Decision, findDecisions, listDecidedSince } from './decision-repository'

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

/** Publishes again what was decided since a moment, a part of it at a time. */
export async function replaySince(deps: ReplayDeps & { sql: Sql }, { since, after }: { since: Date; after: string }): Promise<ReplayPart> {
  const ids = await listDecidedSince(deps.sql, { since, after: after || oldestReplayed(since), rowsMax: replayedRowsMax })
  if (ids.length > 0) await replay(deps, ids)
  return replayPart(ids)
}
