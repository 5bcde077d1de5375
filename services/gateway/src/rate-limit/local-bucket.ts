import { windowMs as minuteMs, type TokenAnswer } from './token'

const bucketsMax = 50_000

export type LocalBucketOptions = { windowMs?: number; now?: () => number }

/** The same bucket kept in this process: each token comes back exactly one window after it was taken. */
export function createLocalBucket(limit: number, { windowMs = minuteMs, now = () => performance.now() }: LocalBucketOptions = {}) {
  const taken = new Map<string, number[]>()
  return (key: string): TokenAnswer => {
    const at = now()
    const times = taken.get(key) ?? []
    while (times.length > 0 && (times[0] ?? 0) + windowMs <= at) times.shift()
    const allowed = times.length < limit
    if (allowed) times.push(at)
    // The key used longest ago is forgotten first.
    taken.delete(key)
    taken.set(key, times)
    if (taken.size > bucketsMax) taken.delete(taken.keys().next().value ?? '')
    return { taken: allowed, left: Math.max(0, limit - times.length), waitMs: Math.max(0, (times[0] ?? at) + windowMs - at) }
  }
}
