/**
 * Health: whether a provider's "no such task" (a miss) may count as evidence that it has nothing of an attempt. A wrong
 * key, another project or a stale replica gives the same answer, so that no miss counts by itself. The provider is
 * asked for the newest tasks of ours that it must know, and its state says which misses count from then on. A refund
 * because of absence needs misses that count.
 */
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, gauge, late } from '@filmgate/kit/telemetry/metrics'
import type { Connector, Polled } from '../providers/connector'
import type { Routing } from '../routing/routing'
import { isClosed } from './closing-repository'
import { countMissing, countRunning, findMustKnow, type MustKnow } from './provider-health-repository'

/**
 * What each state permits, and why. `counts`: which misses count. `suspends`: an operator has to look. `cause`: for a
 * miss that doesn't count.
 */
const healthStates = {
  /** It knows the newest task of ours that it must know. */
  misses_count: { counts: 'all', suspends: false },
  /** An operator says that what it doesn't know does not exist there. */
  misses_count_by_operator: { counts: 'all', suspends: false },
  /**
   * It knows older tasks of ours and not the newest, as a replica that stands still: it would know what was submitted
   * before its newest.
   */
  older_misses_count: { counts: 'older', suspends: true, cause: 'not found at its provider, which knows only older tasks of ours' },
  suspended_none_known: { counts: 'none', suspends: true, cause: 'not found at its provider, which knows no other task of ours either' },
  suspended_key_refused: { counts: 'none', suspends: true, cause: 'not found at its provider, which refuses our key' },
  suspended_many_missing: { counts: 'none', suspends: true, cause: 'not found at its provider, as too many others at once' },
  /** There is no task that it must know. */
  suspended_no_control: {
    counts: 'none',
    suspends: false,
    cause: 'not found at its provider, which has no other task of ours to compare with',
  },
} satisfies Record<string, Permits>
type Permits = { counts: 'all' | 'older' | 'none'; suspends: boolean; cause?: string }
export type HealthState = keyof typeof healthStates
export const permitsOf = (state: HealthState): Permits => healthStates[state]

/** `newestKnownAt`: when the newest attempt was made that a provider knows, where it knows only older ones. */
export type Health = { state: HealthState; newestKnownAt?: Date }

/** Whether misses at large count. */
export const missesCount = (state: HealthState): boolean => permitsOf(state).counts === 'all'

/** Whether the miss of an attempt that was made then counts. */
export const missCounts = ({ state, newestKnownAt }: Health, createdAt: Date): boolean =>
  missesCount(state) || (permitsOf(state).counts === 'older' && newestKnownAt !== undefined && createdAt < newestKnownAt)

export type HealthDeps = {
  sql: Sql
  log: Log
  routing: Pick<Routing, 'connectors'>
  absenceSightingsMin: number
  /**
   * More than so many accepted attempts missing at a provider within the window, and more than that share of the
   * running ones, stop refunds.
   */
  vanishedMax: number
  vanishedPercentMax: number
  vanishedWindowMs: number
}

/** Undefined: not known, because the provider gave no usable answer. */
export type ProviderHealth = { check(connector: Connector, signal: AbortSignal): Promise<Health | undefined> }

/** One wrong id of the provider's own is no proof that it knows none. */
const mustKnowMax = 3
/** A provider may have deleted what it ended longer ago. */
const mustKnowAgeMsMax = 6 * 3_600_000
/**
 * An attempt in review is polled at least this often; a provider that was not checked for so long counts as resumed.
 */
const suspendedMsMax = 180_000

const checks = counter('provider_health_checks', 'Checks whether misses of a provider count, by the state found', {
  provider: late,
  state: [...(Object.keys(healthStates) as HealthState[]), 'unknown'],
})

/** Checks providers, once for all attempts that are missing at the same moment. */
export function createProviderHealth(deps: HealthDeps): ProviderHealth {
  const { log, routing } = deps
  const checked = new Map<string, { atMs: number; health: Promise<Health | undefined> }>()
  const suspendedAtMs = new Map<string, number>()
  const isSuspended = (provider: string) => performance.now() - (suspendedAtMs.get(provider) ?? Number.NEGATIVE_INFINITY) < suspendedMsMax
  gauge(
    'provider_absences_held',
    'Whether absence checks are suspended for a provider: it knows no other task of ours, or too many are missing',
    () => routing.connectors.map(({ provider }) => ({ value: isSuspended(provider) ? 1 : 0, attributes: { provider } })),
  )

  async function check(connector: Connector, signal: AbortSignal): Promise<Health | undefined> {
    const { provider } = connector
    const found = await findHealth(deps, connector, signal).catch(error => {
      if (!signal.aborted) log.warn({ err: error, provider }, 'health check of provider got no usable answer')
    })
    const health = found ?? (await checkKey(connector, signal))
    checks.add(1, { provider, state: health?.state ?? 'unknown' })
    if (!health) return undefined
    const { suspends } = permitsOf(health.state)
    if (suspends && !isSuspended(provider)) log.error({ provider, state: health.state }, 'absence checks suspended for provider')
    if (!suspends && isSuspended(provider)) log.info({ provider, state: health.state }, 'absence checks resumed for provider')
    suspendedAtMs.set(provider, suspends ? performance.now() : Number.NEGATIVE_INFINITY)
    return health
  }

  return {
    check(connector, signal) {
      const before = checked.get(connector.provider)
      const freshMs = connector.capabilities.visibilityMs / deps.absenceSightingsMin / 4
      if (before && performance.now() - before.atMs < freshMs) return before.health
      const health = check(connector, signal)
      checked.set(connector.provider, { atMs: performance.now(), health })
      return health
    },
  }
}

async function findHealth(deps: HealthDeps, connector: Connector, signal: AbortSignal): Promise<Health | undefined> {
  const { sql, vanishedMax, vanishedPercentMax, vanishedWindowMs } = deps
  const { provider } = connector
  const { visibilityMs, resultExpiryMs = mustKnowAgeMsMax } = connector.capabilities
  if (await isClosed(sql, provider)) return { state: 'misses_count_by_operator' }
  const missing = await countMissing(sql, provider, vanishedWindowMs)
  if (missing > vanishedMax && missing * 100 > vanishedPercentMax * (await countRunning(sql, provider)))
    return { state: 'suspended_many_missing' }
  const ageMs = Math.min(mustKnowAgeMsMax, resultExpiryMs)
  const mustKnow = await findMustKnow(sql, { provider, visibilityMs, ageMs, byOwnId: provesAbsence(connector), limit: mustKnowMax })
  if (mustKnow.length === 0) return { state: 'suspended_no_control' }
  return healthOf(mustKnow, await Promise.all(mustKnow.map(one => isKnown(connector, one, signal))))
}

/** The newest comes first. An answer that isn't usable (undefined) says nothing of its attempt. */
export function healthOf(mustKnow: Pick<MustKnow, 'createdAt'>[], known: (boolean | undefined)[]): Health | undefined {
  const newest = known.indexOf(true)
  if (newest < 0) return known.includes(undefined) ? undefined : { state: 'suspended_none_known' }
  if (!known.slice(0, newest).includes(false)) return { state: 'misses_count' }
  return { state: 'older_misses_count', newestKnownAt: mustKnow[newest]?.createdAt }
}

/** Whether a look-up by our own id that finds nothing says that the provider has nothing under it. */
export const provesAbsence = ({ capabilities }: Pick<Connector, 'capabilities'>): boolean => capabilities.lookUp === 'own-id'

/**
 * By the provider's id, and by ours where it must find that, as what is missing was asked for. Undefined where there
 * was no usable answer.
 */
async function isKnown(connector: Connector, one: Polled, signal: AbortSignal): Promise<boolean | undefined> {
  const byOwnId = provesAbsence(connector)
  const [[answer], found] = await Promise.all([connector.poll([one], signal), byOwnId && connector.lookUp?.(one.attemptId, signal)])
  if (!answer) return undefined
  return answer.status !== 'missing' && (!byOwnId || found !== undefined)
}

/** A provider that refuses our key may give no usable answer to anything else. */
async function checkKey(connector: Connector, signal: AbortSignal): Promise<Health | undefined> {
  const key = await connector.checkKey(signal).catch(() => 'unknown' as const)
  return key === 'refused' ? { state: 'suspended_key_refused' } : undefined
}
