import { counter } from '@filmgate/kit/metrics'
import type { Outbox } from '@filmgate/kit/outbox'
import { topicName } from '@filmgate/proto/topics'
import { type Decision, findDecisions } from './decision-repository'

export type RetellDeps = { outbox: Outbox; topicPrefix: string }

const toldAgain = counter('probe_told_again', 'Events sent once more because an order was delivered again or an operator asked')

/** Tells what was decided about these tasks' media once more, as it went out; nothing of those that wait for their decision. */
export const retell = (deps: RetellDeps, taskIds: string[]): Promise<Decision[]> =>
  deps.outbox.transaction(async (sql, send) => {
    const decisions = await findDecisions(sql, taskIds)
    send(decisions.map(({ accountId, event }) => ({ topic: topicName(deps.topicPrefix, 'media'), key: accountId, value: event })))
    toldAgain.add(decisions.length)
    return decisions
  })
