const real = globalThis.setTimeout

/** Timers of the client run so many times faster until it is disposed: read timeouts take minutes. `asked`: of each its milliseconds. */
export function fastClock(times: number): Disposable & { asked: number[] } {
  const asked: number[] = []
  const fast = (run: () => void, ms = 0, ...rest: unknown[]) => {
    asked.push(ms)
    return real(run, ms / times, ...rest)
  }
  globalThis.setTimeout = Object.assign(fast, real) as unknown as typeof setTimeout
  return {
    asked,
    [Symbol.dispose]() {
      globalThis.setTimeout = real
    },
  }
}
