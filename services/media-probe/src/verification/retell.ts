import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { topicName } from '@filmgate/proto/topics'
import { type Decision, findDecisions } from './decision-repository'

export type RetellDeps = { outbox: Outbox; topicPrefix: string }

const retold = counter('probe_told_again', 'Events sent once more because an order was delivered again or an operator asked')

/** Sends the events of these tasks' decisions once more, unchanged; none for tasks that wait for their decision. */
export const retell = (deps: RetellDeps, taskIds: string[]): Promise<Decision[]> =>
  deps.outbox.transaction(async (sql, send) => {
    const decisions = await findDecisions(sql, taskIds)
    send(decisions.map(({ accountId, event }) => ({ topic: topicName(deps.topicPrefix, 'media'), key: accountId, value: event })))
    retold.add(decisions.length)
    return decisions
  })
