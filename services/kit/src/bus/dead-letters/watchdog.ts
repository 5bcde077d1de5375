import { DeadlineError } from '../../deadline'

/** Ends when told to, when the signal comes, or with an error after so long without a sign of life. */
export function createWatchdog(silenceMs: number, what: string, signal: AbortSignal | undefined) {
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>()
  let over = false
  let timer = setTimeout(silent, silenceMs)

  function silent(): void {
    end(new DeadlineError(what, silenceMs))
  }
  function end(error?: unknown): void {
    over = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', stopped)
    if (error === undefined) resolve()
    else reject(error)
  }
  const stopped = () => end()
  signal?.addEventListener('abort', stopped, { once: true })
  // It may end while nobody waits yet.
  finished.catch(() => {})

  return {
    finished,
    end,
    ended: () => over,
    alive(): void {
      clearTimeout(timer)
      if (!over) timer = setTimeout(silent, silenceMs)
    },
  }
}
