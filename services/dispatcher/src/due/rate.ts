/**
 * Rate: how many attempts all dispatchers together begin to poll at one provider in a second, `budget.perSecond` of its
 * connector.
 *
 * Each poll gets a start of its own, 1/perSecond after the one before, so that waiting attempts stand in line and are
 * written once. The database keeps the time of the next free start, which dispatchers take under a row lock. Unused
 * starts of one second are kept: that is the burst. A provider that answers 429 or Retry-After is paused: starts are
 * given from the end of the pause on.
 */
export type Rate = { perSecond: number; nextStartMs: number } & Pause

/** `pauseMs`: how long the last pause was, halved by each answer since; 0 where it starts anew. */
export type Pause = { pausedUntilMs: number; pauseMs: number }

const burstMs = 1_000
/** The first pause; each one that follows without an answer between them is twice as long, up to the longest. */
export const pauseFirstMs = 2_000
export const pauseMsMax = 120_000
/** A Retry-After of 0 is no reason to call without a pause. */
const pauseMsMin = 1_000

/** What calls came to: whether one was answered, whether one was told to come later, and when. */
export type RateReport = { answered: boolean; rateLimited: boolean; retryAfterMs: number | undefined }

/**
 * The pause after these calls. It lasts no longer than Retry-After says, and may be shorter: a provider that names an
 * hour is tried again sooner. Calls that were under way when a pause began change nothing.
 */
export function pauseAfter(pause: Pause, { answered, rateLimited, retryAfterMs = pauseMsMax }: RateReport, nowMs: number): Pause {
  if (pause.pausedUntilMs > nowMs) return pause
  if (rateLimited) {
    const grownMs = Math.min(pauseMsMax, Math.max(pauseFirstMs, 2 * pause.pauseMs))
    const pauseMs = Math.max(pauseMsMin, Math.min(grownMs, retryAfterMs))
    return { pauseMs, pausedUntilMs: nowMs + pauseMs }
  }
  if (!answered || pause.pauseMs === 0) return pause
  return { ...pause, pauseMs: pause.pauseMs <= pauseFirstMs ? 0 : pause.pauseMs / 2 }
}

/** Until when a provider is left alone because it limits our rate; undefined where it isn't. */
export const rateLimitedUntilMs = ({ pausedUntilMs, nowMs }: Pick<Pause, 'pausedUntilMs'> & { nowMs: number }): number | undefined =>
  pausedUntilMs > nowMs ? pausedUntilMs : undefined

/** Gives starts from `notBeforeMs` on, the burst first where that is past. */
export function drawStarts({ perSecond, nextStartMs }: Rate, notBeforeMs: number, nowMs: number) {
  const stepMs = 1_000 / perSecond
  const firstMs = Math.max(nextStartMs, notBeforeMs > nowMs ? notBeforeMs : nowMs - burstMs + stepMs)
  let drawn = 0
  return {
    draw: (): number => toMicroseconds(firstMs + stepMs * drawn++),
    /** What the next one to draw would get. */
    nextStartMs: (): number => toMicroseconds(firstMs + stepMs * drawn),
  }
}

/** As the database keeps it: a thirtieth of a second thirty times is a second. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000
