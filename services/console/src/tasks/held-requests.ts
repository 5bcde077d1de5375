/** A browser holds six connections to a host; a person's pages beyond leave the gateway's to others. */
const heldMax = 4

/** Does work that may wait for a change, for so many of a person's requests at one moment; whatever is beyond is told not to wait. */
export type Hold = <T>(personId: string, work: (mayWait: boolean) => Promise<T>) => Promise<T>

/** Counted by each replica for itself: it is its own connections that are held. */
export function createHold(): Hold {
  const held = new Map<string, number>()
  return async (personId, work) => {
    const before = held.get(personId) ?? 0
    if (before >= heldMax) return await work(false)
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
