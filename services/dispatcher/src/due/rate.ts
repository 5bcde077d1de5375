/**
 * Rate: how many attempts all dispatchers together begin to poll at one provider in a second, `budget.perSecond` of its
 * connector.
 *
 * Each poll gets a start of its own, 1/perSecond after the one before, so that waiting attempts stand in line and are
 * written once. The database keeps the time of the next free start, which dispatchers take under a row lock. Unused
 * starts of one second are kept: that is the burst. A provider that answers 429 or Retry-After is paused: starts are
 * given from the end of the pause on.
 */
export type Rate = { perSecond: number; nextStartMs: number; pausedUntilMs: number }

const burstMs = 1_000
/** A pause where the provider answers 429 and names no time. */
const busyPauseMs = 2_000
/** A provider's Retry-After counts up to this. */
const pauseMsMax = 300_000

export const pauseMsOf = ({ busy, retryAfterMs }: { busy: boolean; retryAfterMs: number | undefined }): number | undefined =>
  retryAfterMs === undefined ? (busy ? busyPauseMs : undefined) : Math.min(retryAfterMs, pauseMsMax)

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
