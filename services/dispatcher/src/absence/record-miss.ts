import type { Due, DueAttempt } from '../attempt/attempt'
import { missCounts, type ProviderHealth, permitsOf } from './provider-health'

export type RecordMissDeps = {
  health: ProviderHealth
  /** How often a provider must know nothing of an attempt before that proves anything. */
  absenceSightingsMin: number
}

/**
 * A provider knew nothing of an attempt once more. `proves`: by now this proves that it has nothing of it. `cause`: why
 * this miss doesn't count.
 */
export type Miss = { counts: boolean; proves: boolean; cause?: string }

/**
 * Judges the answer of a provider that knows nothing of an attempt. A miss counts only while the provider's health
 * permits it, and proves something only when repeated over the provider's visibility bound. Undefined: too soon after
 * the last miss, or the health isn't known.
 */
export async function recordMiss(deps: RecordMissDeps, { attempt, connector }: Due, signal: AbortSignal): Promise<Miss | undefined> {
  const { visibilityMs } = connector.capabilities
  const missesMin = deps.absenceSightingsMin
  const { absenceProves, absenceCount, absenceLastMsAgo } = attempt
  const isSoon = absenceLastMsAgo !== null && absenceLastMsAgo < visibilityMs / missesMin
  // Look-ups come at about that interval. Skipping one that came a moment before it would hold the credits for an
  // interval more.
  if (isSoon && !(absenceProves && isRepeated(attempt, absenceCount, visibilityMs, missesMin))) return undefined
  const health = await deps.health.check(connector, signal)
  if (health === undefined) return undefined
  if (missCounts(health, attempt.createdAt)) {
    return { counts: true, proves: absenceProves && isRepeated(attempt, absenceCount + 1, visibilityMs, missesMin) }
  }
  const { cause } = permitsOf(health.state)
  return { counts: false, proves: false, ...(cause && { cause }) }
}

const isRepeated = ({ absenceFirstMsAgo }: DueAttempt, count: number, visibilityMs: number, missesMin: number): boolean =>
  count >= missesMin && absenceFirstMsAgo !== null && absenceFirstMsAgo >= visibilityMs
