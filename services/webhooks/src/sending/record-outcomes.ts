import { createBatch } from '@filmgate/kit/batch'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Attempt, DeliveryStatus } from '../deliveries/delivery'
import { type Claimed, refreshDue } from './claim-repository'
import { judgeAttempt, judgeEndpoint, type RetryRules } from './judge-attempt'
import { lockEndpoints, updateDeliveries, updateHealth } from './outcome-repository'

export type RecordDeps = RetryRules & { sql: Sql; now: () => Date; pauseAfterDays: number }

export type Ended = { claimed: Claimed; attempt: Attempt }

/** Records attempts, many in one transaction. Each gets the delivery's status, or undefined where its lease was lost: nothing is written. */
export const createRecorder = (deps: RecordDeps) =>
  createBatch<Ended, DeliveryStatus | undefined>(ended => record(deps, ended), { inFlightMax: 2, sizeMax: 200 })

async function record(deps: RecordDeps, ended: Ended[]): Promise<(DeliveryStatus | undefined)[]> {
  const now = deps.now()
  const outcomes = ended.map(({ claimed, attempt }) => {
    return { id: claimed.id, epoch: claimed.epoch, attempt, ...judgeAttempt(claimed, attempt, deps, now) }
  })
  const endpointIds = [...new Set(ended.map(({ claimed }) => claimed.endpointId))]
  const held = (await deps.sql.begin(async sql => {
    const endpoints = await lockEndpoints(sql, endpointIds)
    const held = await updateDeliveries(sql, outcomes)
    const health = endpoints.map(({ id, callbacks, ...before }) => {
      const attempts = ended
        .filter(({ claimed }) => claimed.endpointId === id && held.has(claimed.id))
        .map(({ claimed, attempt }) => ({ ...attempt, event: claimed.event, tries: claimed.tries + 1 }))
      // Callbacks are never paused: the next one may lead elsewhere.
      return { id, ...judgeEndpoint(before, attempts, deps, now), ...(callbacks && { pausedReason: null }) }
    })
    await updateHealth(sql, health)
    await refreshDue(sql, endpointIds)
    return held
  })) as Set<string>
  return outcomes.map(({ id, status }) => (held.has(id) ? status : undefined))
}
