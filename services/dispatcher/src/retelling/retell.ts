import { counter } from '@filmgate/kit/metrics'
import type { Outbox, Send } from '@filmgate/kit/outbox'
import type { TransactionSql } from '@filmgate/kit/postgres'
import { outgoing } from '../attempt/events'
import { type LatestAttempt, lockLatestAttempts } from './latest-attempt-repository'
import { stateEvents } from './state-events'

export type RetellDeps = { outbox: Outbox; topicPrefix: string; outputBaseUrl: string }

const toldAgain = counter('dispatcher_told_again', 'Events sent once more because an order was delivered again or an operator asked')

/** Tells what the last attempts of these tasks have come to, once more. Returns the names of the events; undefined where there is no attempt. */
export const retell = ({ outbox, ...deps }: RetellDeps, taskIds: string[]): Promise<string[] | undefined> =>
  outbox.transaction(async (sql, send) => {
    const attempts = await lockLatestAttempts(sql, taskIds)
    return attempts.length > 0 ? tell(deps, send, attempts) : undefined
  })

/** The same of one task in a transaction under way. */
export async function retellWithin(
  deps: Omit<RetellDeps, 'outbox'>,
  { sql, send }: { sql: TransactionSql; send: Send },
  taskId: string,
): Promise<{ attempt: LatestAttempt | undefined; told: string[] }> {
  const [attempt] = await lockLatestAttempts(sql, [taskId])
  return { attempt, told: attempt ? tell(deps, send, [attempt]) : [] }
}

function tell({ topicPrefix, outputBaseUrl }: Omit<RetellDeps, 'outbox'>, send: Send, attempts: LatestAttempt[]): string[] {
  const events = attempts.flatMap(attempt => stateEvents(attempt, outputBaseUrl).map(event => ({ attempt, event })))
  send(events.map(({ attempt, event }) => outgoing(topicPrefix, attempt, event)))
  toldAgain.add(events.length)
  return events.map(({ event }) => event.case ?? '')
}
