import { DeadlineError } from './deadline'

type Pending<I, O> = { input: I; timer: Timer | undefined; resolve(output: O): void; reject(error: unknown): void }

export type BatchOptions = {
  inFlightMax?: number
  sizeMax?: number
  /** While asks come densely, a call begins this long after the one before it at the earliest. Of few, none waits. */
  gatherMs?: number
  /** Nobody waits longer, counted from the ask; a call that takes longer goes on, and keeps its turn until it ends. */
  timeoutMs?: number
  /** Who does not answer, for the error. */
  what?: string
}

/** Asks come densely where so many came within four times `gatherMs`: what would wait for fewer than four others doesn't. */
const denselyAsked = 16

/**
 * Turns single asks into calls for many: what arrives while `inFlightMax` calls are under way gathers for the next one.
 * `run` answers in the order asked. One alone is not delayed. What was given up before its turn is never asked of `run`.
 */
export function createBatch<I, O>(
  run: (inputs: I[]) => Promise<O[]>,
  { inFlightMax = 2, sizeMax = 500, gatherMs = 0, timeoutMs, what = 'a call for many' }: BatchOptions = {},
): (input: I, askTimeoutMs?: number) => Promise<O> {
  let pending: Pending<I, O>[] = []
  let inFlight = 0
  let startedAt = Number.NEGATIVE_INFINITY
  let gathering: Timer | undefined
  /** When the last ones were asked, oldest first. */
  let askedAt: number[] = []

  function startNext(): void {
    if (pending.length === 0 || inFlight >= inFlightMax || gathering) return
    const now = performance.now()
    const waitMs = startedAt + gatherMs - now
    const dense = askedAt.length === denselyAsked && now - (askedAt[0] ?? 0) < 4 * gatherMs
    // A timer counts whole milliseconds.
    if (!dense || waitMs < 1) return void runNext()
    gathering = setTimeout(() => {
      gathering = undefined
      if (pending.length > 0) void runNext()
    }, waitMs)
  }

  async function runNext(): Promise<void> {
    inFlight += 1
    startedAt = performance.now()
    const now = pending.slice(0, sizeMax)
    pending = pending.slice(sizeMax)
    try {
      const outputs = await run(now.map(one => one.input))
      if (outputs.length !== now.length) throw new Error(`a batch of ${now.length} was answered with ${outputs.length}`)
      for (const [index, one] of now.entries()) one.resolve(outputs[index] as O)
    } catch (error) {
      for (const one of now) one.reject(error)
    } finally {
      for (const one of now) clearTimeout(one.timer)
      inFlight -= 1
      startNext()
    }
  }

  function giveUp(one: Pending<I, O>, ms: number): void {
    const place = pending.indexOf(one)
    if (place >= 0) pending.splice(place, 1)
    one.reject(new DeadlineError(what, ms))
  }

  return (input, askTimeoutMs = timeoutMs) => {
    const { promise, resolve, reject } = Promise.withResolvers<O>()
    const one: Pending<I, O> = { input, resolve, reject, timer: undefined }
    if (askTimeoutMs !== undefined) one.timer = setTimeout(() => giveUp(one, askTimeoutMs), askTimeoutMs)
    pending.push(one)
    if (gatherMs > 0) askedAt = [...askedAt.slice(1 - denselyAsked), performance.now()]
    // A turn later, so that asks of the same moment share the call.
    if (inFlight < inFlightMax && pending.length === 1) queueMicrotask(startNext)
    return promise
  }
}
