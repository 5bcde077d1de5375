import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Outbox, Send } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { outgoing } from '../attempt/events'
import type { AskForPoster } from '../output/poster'
import { type LatestAttempt, lockLatestAttempts } from './latest-attempt-repository'
import { stateEvents } from './state-events'

export type RetellDeps = { outbox: Outbox; topicPrefix: string; outputBaseUrl: string; askForPoster: AskForPoster }

const toldAgain = counter('dispatcher_told_again', 'Events sent once more because an order was delivered again or an operator asked')

/** Publishes once more what became of the last attempts of these tasks. Returns the names of the events; undefined where there is no attempt. */
export const retell = ({ outbox, ...deps }: RetellDeps, taskIds: string[]): Promise<string[] | undefined> =>
  outbox.transaction(async (sql, send) => {
    const attempts = await lockLatestAttempts(sql, taskIds)
    return attempts.length > 0 ? sendStates(deps, send, attempts) : undefined
  })

/** The same for one task, within the caller's transaction. */
export async function retellWithin(
  deps: Omit<RetellDeps, 'outbox'>,
  { sql, send }: { sql: TransactionSql; send: Send },
  taskId: string,
): Promise<{ attempt: LatestAttempt | undefined; events: string[] }> {
  const [attempt] = await lockLatestAttempts(sql, [taskId])
  return { attempt, events: attempt ? await sendStates(deps, send, [attempt]) : [] }
}

async function sendStates(
  { topicPrefix, outputBaseUrl, askForPoster }: Omit<RetellDeps, 'outbox'>,
  send: Send,
  attempts: LatestAttempt[],
): Promise<string[]> {
  const posters = await Promise.all(attempts.map(attempt => posterOf(askForPoster, attempt)))
  const events = attempts.flatMap((attempt, index) =>
    stateEvents(attempt, outputBaseUrl, posters[index]).map(event => ({ attempt, event })),
  )
  send(events.map(({ attempt, event }) => outgoing(topicPrefix, attempt, event)))
  toldAgain.add(events.length)
  return events.map(({ event }) => event.case ?? '')
}

const posterOf = async (askForPoster: AskForPoster, { state, outputKey, outputLeftMs }: LatestAttempt) =>
  state === 'completed' && outputKey ? askForPoster(outputKey, outputLeftMs ?? 0) : undefined
