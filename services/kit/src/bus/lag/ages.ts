/** A partition's end at a moment, in ms by one clock. */
type End = { atMs: number; high: number }

export type Ages = ReturnType<typeof createAges>

/** Above it ends are dropped that lie closer together than a twentieth of their age: ages of long ago are up to that much too low. */
const endsMax = 500
const ageShareKept = 1 / 20

/**
 * For how long messages have waited, by when the end of their partition was first seen behind them: no message is read. An age is too low by
 * the time between two readings at most.
 */
export function createAges() {
  const ends = new Map<string, End[]>()
  const key = (topic: string, partition: number) => `${topic}/${partition}`

  return {
    knows: (topic: string): boolean => [...ends.keys()].some(one => one.startsWith(`${topic}/`)),
    /** Notes a partition's end, in the order of time. One that is lower than before is another log: its topic was made again. */
    note(topic: string, partition: number, high: number, atMs: number): void {
      let known = ends.get(key(topic, partition)) ?? []
      const last = known.at(-1)
      if (last?.high === high) return
      if (last && last.high > high) known = []
      known.push({ atMs, high })
      ends.set(key(topic, partition), known.length > endsMax ? thinned(known, atMs) : known)
    },
    /** How long the message at `offset` has been there at least; 0 where none is. */
    ageMs(topic: string, partition: number, offset: number, nowMs: number): number {
      const behind = ends.get(key(topic, partition))?.find(({ high }) => high > offset)
      return behind ? Math.max(0, nowMs - behind.atMs) : 0
    },
  }
}

function thinned(all: End[], nowMs: number): End[] {
  let keptAtMs = Number.NEGATIVE_INFINITY
  return all.filter(({ atMs }) => {
    if (atMs - keptAtMs < (nowMs - atMs) * ageShareKept) return false
    keptAtMs = atMs
    return true
  })
}
