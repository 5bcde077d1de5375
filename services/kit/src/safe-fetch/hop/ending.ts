import { Failure } from '../../failure'
import type { FetchReason } from '../fetch-policy'

/** The one end that a whole fetch may meet before its own: its total time, or the caller's signal. A timer of ours keeps it. */
export type Ending = {
  /** Says why the fetch has to end, or nothing yet. */
  failure(): Failure<FetchReason> | undefined
  /** Calls `onEnd` once, at once where the end has come already; returns how to be forgotten. */
  watch(onEnd: (failure: Failure<FetchReason>) => void): () => void
  /** Nothing watches any more: lets go of the timer and the caller's signal. */
  stop(): void
}

export function openEnding(totalTimeoutMs: number, caller: AbortSignal | undefined): Ending {
  const watching = new Set<(failure: Failure<FetchReason>) => void>()
  let ended: Failure<FetchReason> | undefined
  const end = (failure: Failure<FetchReason>) => {
    ended ??= failure
    stop()
    for (const onEnd of [...watching]) onEnd(ended)
    watching.clear()
  }
  // A caller's signal may be a timeout too, and that one is no fault of the other side.
  const interrupt = () => end(new Failure<FetchReason>('interrupted', { cause: caller?.reason }))
  const timer = setTimeout(
    () => end(new Failure<FetchReason>('timed_out', { internal: `not done within ${totalTimeoutMs} ms` })),
    totalTimeoutMs,
  )
  function stop() {
    clearTimeout(timer)
    caller?.removeEventListener('abort', interrupt)
  }
  if (caller?.aborted) interrupt()
  else caller?.addEventListener('abort', interrupt)
  return {
    failure: () => ended,
    watch(onEnd) {
      if (ended) onEnd(ended)
      else watching.add(onEnd)
      return () => void watching.delete(onEnd)
    },
    stop,
  }
}
