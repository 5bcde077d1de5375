import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteHeldJobs } from '@filmgate/kit/jobs/job-repository'
import { leaseOwner as owner } from '@filmgate/kit/jobs/job-worker'
import { counter, histogram } from '@filmgate/kit/telemetry/metrics'
import type { Cadence, Connector } from '../providers/connector'
import type { Routing } from '../routing/routing'
import { type Taken, takeDueAttempts } from './due-repository'
import { insertPaces } from './pace-repository'
import type { Places } from './places'

export type TakeDueDeps = {
  sql: Sql
  routing: Pick<Routing, 'connectors'>
  generationTimeoutMs: number
  /** Between polls of one that is overdue. */
  overduePollMs: number
  lookUpOf(connector: Connector): Cadence
  places: Pick<Places, 'askingOf' | 'leftOf'>
}

/** How often an attempt of a provider that is not configured is looked at. */
const unknownProviderMs = 60_000

const lateness = histogram(
  'attempt_asked_late_seconds',
  'How long after its time an attempt was taken to be asked about',
  [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60, 300],
)
const postponements = counter(
  'attempts_postponed',
  'Due attempts that wait for their provider’s turn, or for a place among those it is asked about',
)

/** Takes attempts whose time has come, as many as their providers may be asked about. `due`: how many there were with those that wait. */
export function createTakeDue(deps: TakeDueDeps): (limit: number) => Promise<{ due: number; taken: Taken[] }> {
  const { sql, routing, places, generationTimeoutMs, overduePollMs: overdueMs } = deps
  /** Providers that have a row by which dispatchers share what they ask. */
  const known = new Set<string>()

  async function knowProviders(): Promise<void> {
    const fresh = routing.connectors.map(({ provider }) => provider).filter(provider => !known.has(provider))
    if (fresh.length > 0) await insertPaces(sql, fresh)
    for (const provider of fresh) known.add(provider)
  }

  const paceOf = (connector: Connector) => {
    const { provider, cadence: poll, budget } = connector
    const here = { asking: places.askingOf(provider), placesLeft: places.leftOf(provider) }
    return { provider, poll, budget, lookUp: deps.lookUpOf(connector), ...here }
  }

  return async limit => {
    await knowProviders()
    const limits = { owner, limit, overdueMs, unknownProviderMs, generationTimeoutMs }
    const { taken, postponed } = await takeDueAttempts(sql, routing.connectors.map(paceOf), limits)
    if (postponed > 0) postponements.add(postponed)
    for (const { lateMs } of taken) lateness.record(lateMs / 1_000)
    const orphans = taken.filter(({ attempt }) => attempt.id === null)
    if (orphans.length > 0) {
      await deleteHeldJobs(
        sql,
        orphans.map(({ job }) => job),
      )
    }
    return { due: taken.length + postponed, taken: taken.filter(({ attempt }) => attempt.id !== null) }
  }
}
