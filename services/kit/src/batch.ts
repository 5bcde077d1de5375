type Asked<I, O> = { input: I; resolve(output: O): void; reject(error: unknown): void }

/**
 * Turns single asks into calls for many: what arrives while `inFlightMax` calls are under way gathers for the next one.
 * `run` answers in the order asked. One alone is not delayed.
 */
export function createBatch<I, O>(run: (inputs: I[]) => Promise<O[]>, { inFlightMax = 2, sizeMax = 500 } = {}): (input: I) => Promise<O> {
  let asked: Asked<I, O>[] = []
  let inFlight = 0

  async function runNext(): Promise<void> {
    inFlight += 1
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
      if (asked.length > 0) void runNext()
    }
  }

  return input => {
    const { promise, resolve, reject } = Promise.withResolvers<O>()
    asked.push({ input, resolve, reject })
    // A turn later, so that asks of the same moment share the call.
    if (inFlight < inFlightMax && asked.length === 1) queueMicrotask(() => void (asked.length > 0 && runNext()))
    return promise
  }
}
