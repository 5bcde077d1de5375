import { Failure } from '../failure'
import type { FetchLimits, FetchReason } from './fetch-policy'
import type { Ending } from './hop/ending'
import type { Framing } from './hop/framing'
import type { Hop } from './hop/request-hop'

/**
 * The body as it arrives, ended by a Failure at the first byte too many, at a drip, at the deadline, or when it stops early. The first
 * thing it yields is nothing: from then on every way to end it closes the connection.
 */
export async function* cappedBody(
  { wire, rest }: Hop,
  framing: Framing,
  limits: FetchLimits,
  ending: Ending,
): AsyncGenerator<Uint8Array, void> {
  const pace = createPace(limits, () =>
    wire.end(new Failure<FetchReason>('too_slow', { internal: `under ${limits.bytesPerSecondMin} bytes a second` })),
  )
  let bytes = 0
  try {
    yield Buffer.alloc(0)
    for (let next: Buffer | undefined = rest; ; next = await wire.read()) {
      if (next === undefined && framing.endsAtClose) return
      if (next === undefined) throw new Failure<FetchReason>('body_truncated', { internal: 'closed before its end' })
      const part = framing.take(next)
      pace.took(part.length)
      bytes += part.length
      if (bytes > limits.bodyBytesMax)
        throw new Failure<FetchReason>('body_too_large', { internal: `more than ${limits.bodyBytesMax} bytes` })
      if (part.length > 0) yield part
      const failure = ending.failure()
      if (failure) throw failure
      if (framing.done()) return
      pace.wait()
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure<FetchReason>('body_truncated', { cause: error })
  } finally {
    pace.stop()
    wire.close()
    ending.stop()
  }
}

/** Watches the rate, window by window, counting only time spent waiting for bytes: a slow reader is not a slow sender. */
function createPace({ rateWindowMs, bytesPerSecondMin }: FetchLimits, onSlow: () => void) {
  const windowBytesMin = (bytesPerSecondMin * rateWindowMs) / 1000
  let windowBytes = 0
  let waitedMs = 0
  let since = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const judge = () => {
    if (windowBytes < windowBytesMin) return onSlow()
    windowBytes = 0
    waitedMs = 0
    since = performance.now()
    timer = setTimeout(judge, rateWindowMs)
  }
  return {
    stop,
    wait() {
      since = performance.now()
      timer = setTimeout(judge, Math.max(1, rateWindowMs - waitedMs))
    },
    took(count: number) {
      stop()
      waitedMs += performance.now() - since
      windowBytes += count
    },
  }
}
