import type { TakeFromShare } from '../share'
import type { RedisRound } from '../tokens/redis-store'

/** Where tokens may be taken from at this moment: nowhere, while the replicas agree. */
export type Phase = { kind: 'lost' } | { kind: 'shares'; take: TakeFromShare } | { kind: 'redis'; round: RedisRound }

const lateMsMax = 20
const nowhere: Phase = { kind: 'lost' }

/** The phase that a replica is in, for as long as its lease holds. */
export function createPhaseHolder(now: () => number) {
  const waiting = new Set<() => void>()
  let phase = nowhere
  let leaseUntilMs = Number.NEGATIVE_INFINITY
  let sinceMs = 0

  function become(next: Phase): void {
    phase = next
    sinceMs = now()
    for (const changed of [...waiting]) changed()
  }

  return {
    become,
    leave: () => become(nowhere),
    current: (): Phase => (now() < leaseUntilMs ? phase : nowhere),
    kind: () => phase.kind,
    forMs: () => now() - sinceMs,
    leased: () => now() < leaseUntilMs,
    lease(untilMs: number) {
      leaseUntilMs = untilMs
    },
    /** What `work` comes to; undefined when the phase is another before that, or after `ms` in which this process was not busy. */
    async during<T>(ms: number, work?: Promise<T>): Promise<T | undefined> {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const changed = () => resolve(undefined)
      const wait = (waitMs: number) => {
        const dueMs = now() + waitMs
        // A timer that comes late has kept what arrived meanwhile from being read.
        const onTime = () => now() - dueMs < lateMsMax
        timer = setTimeout(() => (onTime() ? changed() : wait(lateMsMax)), waitMs)
      }
      let timer: Timer | undefined
      wait(Math.max(0, ms))
      waiting.add(changed)
      try {
        return await (work ? Promise.race([work, promise]) : promise)
      } finally {
        clearTimeout(timer)
        waiting.delete(changed)
      }
    },
  }
}
export type PhaseHolder = ReturnType<typeof createPhaseHolder>
