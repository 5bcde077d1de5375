/** The result of taking a token. `waitMs` is how long until the next one comes back. */
export type TokenAnswer = { taken: boolean; left: number; waitMs: number }

export const windowMs = 60_000

const bucketsMax = 50_000

export type LocalBucketOptions = { windowMs?: number; now?: () => number }

export type LocalBucket = {
  /** `keyLimit`: in place of the bucket's limit. */
  take(key: string, keyLimit?: number): TokenAnswer
  /** Undoes one `take`. */
  giveBack(key: string): void
}

/** A bucket a key in this process: each token comes back exactly one window after it was taken. */
export function createLocalBucket(
  limit: number,
  { windowMs: tokenMs = windowMs, now = () => performance.now() }: LocalBucketOptions = {},
): LocalBucket {
  const taken = new Map<string, number[]>()
  return {
    take(key, keyLimit = limit) {
      const at = now()
      const times = taken.get(key) ?? []
      while (times.length > 0 && (times[0] ?? 0) + tokenMs <= at) times.shift()
      const allowed = times.length < keyLimit
      if (allowed) times.push(at)
      // The key used longest ago is forgotten first.
      taken.delete(key)
      taken.set(key, times)
      if (taken.size > bucketsMax) taken.delete(taken.keys().next().value ?? '')
      return {
        taken: allowed,
        left: Math.max(0, keyLimit - times.length),
        waitMs: Math.max(0, (times[Math.max(0, times.length - keyLimit)] ?? at) + tokenMs - at),
      }
    },
    giveBack: key => void taken.get(key)?.pop(),
  }
}
