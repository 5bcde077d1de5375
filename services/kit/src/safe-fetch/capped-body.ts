import { Failure } from '../failure'
import type { FetchLimits, FetchReason } from './fetch-policy'
import { abortFailure, type Ending, type Hop } from './request-hop'

/** The body as it arrives, ended by a Failure at the first byte too many, at a drip, at the deadline, or when it stops early. */
export async function* cappedBody({ request, response }: Hop, limits: FetchLimits, ending: Ending): AsyncGenerator<Uint8Array, void> {
  const { signal } = ending
  let ended: Failure<FetchReason> | undefined
  const end = (failure: Failure<FetchReason>) => {
    ended ??= failure
    request.destroy(failure)
    response.destroy(failure)
  }
  const interrupt = () => end(abortFailure(ending))
  signal.addEventListener('abort', interrupt)
  if (signal.aborted) interrupt()
  const pace = createPace(limits, () =>
    end(new Failure<FetchReason>('too_slow', { internal: `under ${limits.bytesPerSecondMin} bytes a second` })),
  )
  const chunks: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]()
  let bytes = 0
  try {
    for (;;) {
      pace.wait()
      const { done, value } = await chunks.next()
      if (done) break
      pace.took(value.length)
      bytes += value.length
      if (bytes > limits.bodyBytesMax)
        throw new Failure<FetchReason>('body_too_large', { internal: `more than ${limits.bodyBytesMax} bytes` })
      yield value
    }
    if (ended) throw ended
    if (!response.complete) throw new Failure<FetchReason>('body_truncated', { internal: 'closed before its end' })
  } catch (error) {
    if (error instanceof Failure) throw error
    throw ended ?? new Failure<FetchReason>('body_truncated', { cause: error })
  } finally {
    pace.stop()
    signal.removeEventListener('abort', interrupt)
    request.destroy()
    response.destroy()
  }
}

/** Watches the rate, window by window, counting only time spent waiting for bytes: a slow reader is not a slow sender. */
function createPace({ rateWindowMs, bytesPerSecondMin }: FetchLimits, onSlow: () => void) {
  const windowBytesMin = (bytesPerSecondMin * rateWindowMs) / 1000
  let windowBytes = 0
  let waitedMs = 0
  let since = 0
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
