const { setTimeout: set, clearTimeout: clear } = globalThis

/** Counts the client's timers that are set and have neither run nor been cleared, until it is disposed; they run so many times faster. */
export function countTimers(times = 1): Disposable & { left(): number } {
  const timers = new Set<unknown>()
  const counted = (run: (...args: unknown[]) => void, ms?: number, ...rest: unknown[]) => {
    // The test's servers have timers as well.
    if (!new Error().stack?.includes('watchdog.ts')) return set(run, ms, ...rest)
    const timer = set(
      () => {
        timers.delete(timer)
        run()
      },
      (ms ?? 0) / times,
    )
    timers.add(timer)
    return timer
  }
  globalThis.setTimeout = Object.assign(counted, set) as unknown as typeof setTimeout
  globalThis.clearTimeout = ((timer: Parameters<typeof clearTimeout>[0]) => {
    timers.delete(timer)
    clear(timer)
  }) as typeof clearTimeout
  return {
    left: () => timers.size,
    [Symbol.dispose]() {
      globalThis.setTimeout = set
      globalThis.clearTimeout = clear
    },
  }
}
