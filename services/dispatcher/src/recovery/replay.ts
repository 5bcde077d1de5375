import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Send } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { outgoing } from '../attempt/events'
import type { AskForPoster } from '../output/poster'
import { type LatestAttempt, lockLatestAttempts } from './latest-attempt-repository'
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
