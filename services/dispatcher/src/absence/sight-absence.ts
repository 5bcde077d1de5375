import type { Due, DueAttempt } from '../attempt/attempt'
import { type Control, type Controls, countsFor } from './controls'

export type SightDeps = {
  controls: Controls
  /** How often a provider must know nothing of an attempt before that proves anything. */
  absenceSightingsMin: number
}

/** A provider knew nothing of an attempt once more. `proves`: by now this proves that it has nothing of it. `words`: why this time didn't count. */
export type Sighting = { counts: boolean; proves: boolean; words?: string }

type Uncounted = Exclude<Control, 'shown' | 'believed'>
const uncountedWords: Record<Uncounted, string> = {
  nothing: 'not found by its provider, which has nothing else of ours to show that it would',
  hidden: 'not found by its provider, which shows nothing else of ours either',
  behind: 'not found by its provider, which shows only older ones of ours',
  refused: 'not found by its provider, which refuses our key',
  vanishing: 'not found by its provider, as too many others at once',
}

/**
 * Judges the answer of a provider that knows nothing of an attempt. A wrong key, another project or a stale replica gives the same empty answer:
 * it counts only while the provider shows others of ours, and proves something only when repeated over the provider's visibility bound. Undefined:
 * too soon after the last one, or whether the provider shows others isn't known.
 */
export async function sightAbsence(deps: SightDeps, { attempt, connector }: Due, signal: AbortSignal): Promise<Sighting | undefined> {
  const { visibilityMs } = connector.capabilities
  const { absenceLastMsAgo } = attempt
  const isSoon = absenceLastMsAgo !== null && absenceLastMsAgo < visibilityMs / deps.absenceSightingsMin
  // Look-ups come at about that interval: one that came a moment before it would be passed over, and the credits held for an interval more.
  if (isSoon && !isRipe(attempt, visibilityMs, deps.absenceSightingsMin)) return undefined
  const seen = await deps.controls.ask(connector, signal)
  if (seen === undefined) return undefined
  if (!countsFor(seen, attempt.createdAt)) return { counts: false, proves: false, words: uncountedWords[seen.control as Uncounted] }
  return { counts: true, proves: attempt.absenceProves && isRepeated(attempt, visibilityMs, deps.absenceSightingsMin) }
}

/** It was missed often enough, far enough apart, and only the bound was not over yet. */
const isRipe = (attempt: DueAttempt, visibilityMs: number, sightingsMin: number): boolean =>
  attempt.absenceProves && isRepeated({ ...attempt, absenceCount: attempt.absenceCount - 1 }, visibilityMs, sightingsMin)

const isRepeated = ({ absenceCount, absenceFirstMsAgo }: DueAttempt, visibilityMs: number, sightingsMin: number): boolean =>
  absenceCount + 1 >= sightingsMin && absenceFirstMsAgo !== null && absenceFirstMsAgo >= visibilityMs
