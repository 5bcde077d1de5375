/** A browser opens six connections to a host. Further pages of a person poll instead. */
const longPollsMax = 4

/**
 * Runs work that may wait for a change, for a limited number of concurrent requests per person. Beyond that the work
 * must not wait.
 */
export type LongPollLimiter = <T>(personId: string, work: (mayWait: boolean) => Promise<T>) => Promise<T>

/** Counts per replica, because it limits the replica's own connections. */
export function createLongPollLimiter(): LongPollLimiter {
  const held = new Map<string, number>()
  return async (personId, work) => {
    const before = held.get(personId) ?? 0
    if (before >= longPollsMax) return await work(false)
    held.set(personId, before + 1)
    try {
      return await work(true)
    } finally {
      const left = (held.get(personId) ?? 1) - 1
      if (left > 0) held.set(personId, left)
      else held.delete(personId)
    }
  }
}
