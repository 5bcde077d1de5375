import type { DueAttempt } from '../attempt/attempt'
import type { Cadence, PollCadence } from '../providers/connector'
import { afterProbe, type Breaker, blockedUntilMs, isOpen } from './breaker'
import { drawStarts, type Rate } from './rate'

export type Cadences = { poll: PollCadence; lookUp: Cadence }
export type PauseBounds = { overdueMs: number; unknownProviderMs: number }
type Polled = Pick<DueAttempt, 'state' | 'acceptedMsAgo' | 'calledBackAs'> & { absenceProvesInMs: number; tries: number }

/** Look-ups back off up to this many doublings. */
const triesMax = 30
/** After the moment from which an absence proves something. */
const provesGraceMs = 50
/** An attempt that found no slot tries again after this, and each time after as long as it has waited. */
const slotRetryFirstMs = 250

/**
 * Until an attempt is polled or looked up again, in ms, if nothing else is decided. Polls by age, up to a tenth sooner
 * or later, so that what came due together doesn't stay so; look-ups by how many there were. `random` is from 0 to 1.
 */
export function nextPollMs(attempt: Polled, cadences: Cadences | undefined, bounds: PauseBounds, random: number): number {
  if (!cadences) return bounds.unknownProviderMs
  const { poll, lookUp } = cadences
  if (attempt.state === 'overdue') return bounds.overdueMs
  if (attempt.state === 'accepted')
    return (0.9 + 0.2 * random) * Math.max(poll.firstMs, Math.min(poll.maxMs, poll.ofAge * attempt.acceptedMsAgo))
  const pauseMs = Math.min(lookUp.maxMs, lookUp.firstMs * lookUp.growth ** (Math.min(attempt.tries, triesMax) + 1))
  const untilProofMs = attempt.absenceProvesInMs > 0 ? attempt.absenceProvesInMs + provesGraceMs : pauseMs
  const calledBackMs = attempt.state === 'unknown' && attempt.calledBackAs !== null ? bounds.overdueMs : pauseMs
  return Math.min(pauseMs, untilProofMs, calledBackMs)
}

/**
 * A due attempt in the line of its provider. `waitingSinceMs`: when it first came due; `hasStart`: it was given a
 * start, which has come.
 */
export type InLine = { waitingSinceMs: number; hasStart: boolean; nextPollMs: number }

/**
 * `poll`: now, and again at `runAtMs` if nothing else is decided. Otherwise it is due again at `runAtMs`, with or
 * without a start of its own.
 */
export type Decision = { decision: 'poll' | 'has-start' | 'no-slot'; runAtMs: number }

/** `slots`: how many polls may begin now. */
export type ProviderState = { rate: Rate; breaker: Breaker; slots: number }

/**
 * Decides which of a provider's due attempts are polled now and when the others are due again. They get starts in the
 * order given, by when they came due; of those whose start has come, those that have waited longest get the slots.
 */
export function schedulePolls(
  line: InLine[],
  { rate, breaker, slots }: ProviderState,
  nowMs: number,
  random: () => number,
): { decisions: Decision[] } & Omit<ProviderState, 'slots'> {
  const blockedMs = Math.max(rate.pausedUntilMs, blockedUntilMs(breaker))
  const isBlocked = blockedMs > nowMs
  const isProbing = isOpen(breaker) && !isBlocked && slots > 0
  const breakerAfter = isProbing ? afterProbe(breaker, nowMs) : breaker
  const starts = drawStarts(rate, Math.max(blockedMs, blockedUntilMs(breakerAfter)), nowMs)
  const keepsStart = ({ hasStart }: InLine) => hasStart && !isBlocked && !isProbing
  const startMs = line.map((one, index) => (keepsStart(one) || (isProbing && index === 0) ? nowMs : starts.draw()))
  const ready = line.map((one, index) => ({ one, index })).filter(({ index }) => (startMs[index] ?? 0) <= nowMs)
  ready.sort((a, b) => Number(keepsStart(b.one)) - Number(keepsStart(a.one)) || a.one.waitingSinceMs - b.one.waitingSinceMs)
  const polled = new Set(ready.slice(0, slots).map(({ index }) => index))

  const decisions = line.map((one, index): Decision => {
    const ownMs = startMs[index] ?? nowMs
    if (polled.has(index)) return { decision: 'poll', runAtMs: nowMs + one.nextPollMs }
    if (ownMs > nowMs) return { decision: 'has-start', runAtMs: ownMs }
    const waitedMs = Math.max(slotRetryFirstMs, nowMs - one.waitingSinceMs)
    return { decision: 'no-slot', runAtMs: nowMs + (0.5 + random()) * Math.min(one.nextPollMs / 2, waitedMs) }
  })
  return { decisions, rate: { ...rate, nextStartMs: starts.nextStartMs() }, breaker: breakerAfter }
}
