import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { replayedRowsMax, replayPart } from '@filmgate/kit/operator/replay-body'
import type { Outbox, Send } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { ReplayPart } from '@filmgate/proto/operator/task'
import { replayedTaskAgeMs } from '@filmgate/proto/task-id'
import { attemptIdAt } from '../attempt/attempt-id'
import { outgoing } from '../attempt/events'
import type { AskForPoster } from '../output/poster'
import { type LatestAttempt, listAttemptsSince, lockLatestAttempts } from './latest-attempt-repository'
import { stateEvents } from './state-events'

export type ReplayDeps = { topicPrefix: string; outputBaseUrl: string; askForPoster: AskForPoster }
/** `events`: the names of what was published. */
export type Replayed = { attempts: LatestAttempt[]; events: string[] }

const replayed = counter('dispatcher_events_replayed', 'Events published again because an order was delivered again, or an operator asked')

/** Publishes again what became of the last attempts of these tasks, in the caller's transaction. */
export async function replay(
  { topicPrefix, outputBaseUrl, askForPoster }: ReplayDeps,
  { sql, send }: { sql: TransactionSql; send: Send },
  taskIds: string[],
): Promise<Replayed> {
  const attempts = await lockLatestAttempts(sql, taskIds)
  const posters = await Promise.all(attempts.map(attempt => posterOf(askForPoster, attempt)))
  const events = attempts.flatMap((attempt, index) =>
    stateEvents(attempt, outputBaseUrl, posters[index]).map(event => ({ attempt, event })),
  )
  send(events.map(({ attempt, event }) => outgoing(topicPrefix, attempt, event)))
  replayed.add(events.length)
  return { attempts, events: events.map(({ event }) => event.case ?? '') }
}

const posterOf = async (askForPoster: AskForPoster, { state, outputKey, outputLeftMs }: LatestAttempt) =>
  state === 'completed' && outputKey ? askForPoster(outputKey, outputLeftMs ?? 0) : undefined

/** Publishes again what became of the last attempts of tasks that changed since a moment, a part of them at a time. */
export async function replaySince(
  { outbox, ...deps }: ReplayDeps & { outbox: Outbox },
  { since, after }: { since: Date; after: string },
): Promise<ReplayPart> {
  const oldest = attemptIdAt(since.getTime() - replayedTaskAgeMs)
  return outbox.transaction(async (sql, send) => {
    const changed = await listAttemptsSince(sql, { since, after: after || oldest, rowsMax: replayedRowsMax })
    await replay(deps, { sql, send }, [...new Set(changed.map(({ taskId }) => taskId))])
    return replayPart(changed.map(({ id }) => id))
  })
}
