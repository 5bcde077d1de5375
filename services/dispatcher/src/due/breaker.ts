/**
 * Circuit breaker: keeps dispatchers from polling a provider that answers nothing.
 *
 * It counts calls in a row without a usable answer, each about another attempt. At `opensAfter` it opens: then one
 * attempt is polled as a probe after 5 s, and after twice as long each time, up to 20 s. One answer closes it. It
 * decides nothing about attempts: their state stays, and reviews and lost senders are handled whether it is open or
 * not. All dispatchers share it (a row in the database). A provider that is asked about many attempts in one call (Ark
 * about 50) is seldom asked so often: its silence is counted by `provider_troubles`.
 */
export type Breaker = { unanswered: number; probeAtMs: number | null; probes: number }

/** More than one poll for many attempts makes at a time. */
export const opensAfter = 20
export const probeFirstMs = 5_000
const probeMaxMs = 20_000

export const isOpen = ({ unanswered }: Breaker): boolean => unanswered >= opensAfter

/** While it is open no poll begins before then. */
export const blockedUntilMs = (breaker: Breaker): number => (isOpen(breaker) ? breaker.probeAtMs : null) ?? Number.NEGATIVE_INFINITY

/** A probe begins: the next one may be sent later. */
export const afterProbe = ({ unanswered, probes }: Breaker, nowMs: number): Breaker => {
  const pauseMs = Math.min(probeMaxMs, probeFirstMs * 2 ** Math.min(probes, 10))
  return { unanswered, probes: probes + 1, probeAtMs: nowMs + pauseMs }
}

/** Calls were made: whether one was answered, and how many were not. */
export function afterCalls(breaker: Breaker, { answered, unanswered }: { answered: boolean; unanswered: number }, nowMs: number): Breaker {
  if (answered) return { unanswered: 0, probeAtMs: null, probes: 0 }
  const after = { ...breaker, unanswered: breaker.unanswered + unanswered }
  return isOpen(after) && !isOpen(breaker) ? { ...after, probeAtMs: nowMs + probeFirstMs } : after
}
