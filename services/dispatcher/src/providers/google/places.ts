/** Orders whose pictures may be in memory at once. */
export type Places = {
  /** Waits for a place and takes it for `holder`; rejects where `signal` ends first. */
  take(holder: object, signal: AbortSignal): Promise<void>
  /** Done for one that has no place, it does nothing. */
  giveBack(holder: object): void
}

/** `heldMsMax`: a place that nobody gave back by then is free again, so that a submit that never came costs none for good. */
export function createPlaces({ count, heldMsMax }: { count: number; heldMsMax: number }): Places {
  const held = new Map<object, ReturnType<typeof setTimeout>>()
  let waiting: (() => void)[] = []

  function giveBack(holder: object): void {
    clearTimeout(held.get(holder))
    if (!held.delete(holder)) return
    for (const wake of waiting) wake()
    waiting = []
  }

  return {
    giveBack,
    async take(holder, signal) {
      const ended = Promise.withResolvers<never>()
      const end = () => ended.reject(signal.reason)
      signal.addEventListener('abort', end, { once: true })
      try {
        signal.throwIfAborted()
        while (held.size >= count) await Promise.race([ended.promise, new Promise<void>(resolve => waiting.push(resolve))])
      } finally {
        signal.removeEventListener('abort', end)
      }
      held.set(holder, setTimeout(() => giveBack(holder), heldMsMax).unref())
    },
  }
}
