/** What a timer can count; above it, it would fire at once. */
const timerMsMax = 2_147_483_647

/** What is used of the reader of a body; runtimes type theirs differently. */
export type BodyReader = { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> }

export type Watchdog = {
  signal: AbortSignal
  /** From now on so long; the time before ends. */
  allow(ms: number): void
  /** The promise, or the end of the time, or the caller's abort, whichever is first. */
  race<T>(promise: Promise<T>): Promise<T>
  close(): void
}

/** Ends work that takes too long or that its caller gave up. Closed, it leaves no timer and no listener behind. */
export function watchdog(caller: AbortSignal | undefined): Watchdog {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = () => controller.abort(caller?.reason)
  if (caller?.aborted) leave()
  const unlisten = caller && !caller.aborted ? onAbort(caller, leave) : undefined
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(controller.signal.reason)
    if (controller.signal.aborted) end()
    else controller.signal.addEventListener('abort', end, { once: true })
  })
  ended.catch(() => {})
  return {
    signal: controller.signal,
    allow(ms) {
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(new Error(`no answer within ${Math.round(ms)} ms`)), Math.min(ms, timerMsMax))
    },
    race: promise => Promise.race([promise, ended]),
    close() {
      clearTimeout(timer)
      unlisten?.()
    },
  }
}

type Leavers = { all: Set<() => void>; listener(): void }
const leaversOf = new WeakMap<AbortSignal, Leavers>()

/** One listener a signal, however many calls share it: Node warns of more than ten. Returns what ends it. */
function onAbort(signal: AbortSignal, leave: () => void): () => void {
  let leavers = leaversOf.get(signal)
  if (!leavers) {
    const all = new Set<() => void>()
    leavers = { all, listener: () => [...all].forEach(each => void each()) }
    leaversOf.set(signal, leavers)
    signal.addEventListener('abort', leavers.listener, { once: true })
  }
  const { all, listener } = leavers
  all.add(leave)
  return () => {
    if (!all.delete(leave) || all.size > 0) return
    signal.removeEventListener('abort', listener)
    leaversOf.delete(signal)
  }
}
