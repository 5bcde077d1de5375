/** A wait that ran out. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
  constructor(what: string, ms: number) {
    super(`${what} did not answer within ${ms} ms`)
  }
}

/** Rejects after `ms`; what was started goes on unobserved, so use it where the effect is idempotent. */
export function withDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DeadlineError(what, ms)), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/**
 * The work's own end, or a DeadlineError when it has not come `graceMs` after the signal: for work that ends by that signal, and must not
 * hold its caller where something within it doesn't listen to it.
 */
export async function endingSoonAfter<T>(work: Promise<T>, signal: AbortSignal, graceMs: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  let timer: Timer | undefined
  const startGrace = () => {
    timer = setTimeout(() => reject(new DeadlineError(what, graceMs)), graceMs)
  }
  if (signal.aborted) startGrace()
  else signal.addEventListener('abort', startGrace, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', startGrace)
  }
}

/** Waits `ms`, or less when the signal says so. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(done, ms)
  function done() {
    clearTimeout(timer)
    signal?.removeEventListener('abort', done)
    resolve()
  }
  signal?.addEventListener('abort', done, { once: true })
  return promise
}

/** Doubling waits with jitter, from `firstMs` up to `maxMs`. `tries` counts from 1. */
export const backoffMs = (tries: number, firstMs: number, maxMs: number, random: () => number = Math.random): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(tries - 1, 30)) * (0.75 + random() / 2)
