type Asked<I, O> = { input: I; resolve(output: O): void; reject(error: unknown): void }

export type BatchOptions = {
  inFlightMax?: number
  sizeMax?: number
  /** While asks come densely, a call begins this long after the one before it at the earliest. Of few, none waits. */
  gatherMs?: number
}

/** Asks come densely where so many came within four times `gatherMs`: what would wait for fewer than four others doesn't. */
const denselyAsked = 16

/**
 * Turns single asks into calls for many: what arrives while `inFlightMax` calls are under way gathers for the next one.
 * `run` answers in the order asked. One alone is not delayed.
 */
export function createBatch<I, O>(
  run: (inputs: I[]) => Promise<O[]>,
  { inFlightMax = 2, sizeMax = 500, gatherMs = 0 }: BatchOptions = {},
): (input: I) => Promise<O> {
  let asked: Asked<I, O>[] = []
  let inFlight = 0
  let startedAt = Number.NEGATIVE_INFINITY
  let gathering: Timer | undefined
  /** When the last ones were asked, oldest first. */
  let askedAt: number[] = []

  function startNext(): void {
    if (asked.length === 0 || inFlight >= inFlightMax || gathering) return
    const now = performance.now()
    const waitMs = startedAt + gatherMs - now
    const dense = askedAt.length === denselyAsked && now - (askedAt[0] ?? 0) < 4 * gatherMs
    // A timer counts whole milliseconds.
    if (!dense || waitMs < 1) return void runNext()
    gathering = setTimeout(() => {
      gathering = undefined
      void runNext()
    }, waitMs)
  }

  async function runNext(): Promise<void> {
    inFlight += 1
    startedAt = performance.now()
    const now = asked.slice(0, sizeMax)
    asked = asked.slice(sizeMax)
    try {
      const outputs = await run(now.map(one => one.input))
      if (outputs.length !== now.length) throw new Error(`a batch of ${now.length} was answered with ${outputs.length}`)
      for (const [index, one] of now.entries()) one.resolve(outputs[index] as O)
    } catch (error) {
      for (const one of now) one.reject(error)
    } finally {
      inFlight -= 1
      startNext()
    }
  }

  return input => {
    const { promise, resolve, reject } = Promise.withResolvers<O>()
    asked.push({ input, resolve, reject })
    if (gatherMs > 0) askedAt = [...askedAt.slice(1 - denselyAsked), performance.now()]
    // A turn later, so that asks of the same moment share the call.
    if (inFlight < inFlightMax && asked.length === 1) queueMicrotask(startNext)
    return promise
  }
}
