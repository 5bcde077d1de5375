import { pause } from '@filmgate/kit/deadline'
import type { Redis } from 'ioredis'
import type { RedisStore } from './redis-store'

const watchEveryMs = 50
/** A Redis that says nothing for so long is gone: longer than a loaded machine holds one up, shorter than clients notice. */
export const silenceMsMax = 500

export type RedisWatch = {
  /** The history of writes of the Redis that this replica reaches; undefined where it reaches none that takes writes. */
  sees(): string | undefined
  /** Something else was answered. */
  heard(): void
  answeredMsAgo(): number
  stop(): Promise<void>
}

/** Asks Redis who it is, twenty times a second. `lost` is called when it was there and no longer is, or is another. */
export function watchRedis({
  redis,
  store,
  round,
  lost,
}: {
  redis: Redis
  store: RedisStore
  round(): string
  lost(why: string): void
}): RedisWatch {
  const stopping = new AbortController()
  let seen: string | undefined
  let silentMs = 0
  let answeredAt = Number.NEGATIVE_INFINITY

  function forget(why: string): void {
    if (seen === undefined) return
    seen = undefined
    lost(why)
  }
  const closed = () => forget('its connection closed')
  redis.on('close', closed)

  async function ask(): Promise<void> {
    const history = await store.watch(round())
    silentMs = 0
    answeredAt = performance.now()
    if (seen !== undefined && seen !== history) forget('another answers')
    seen = history || undefined
  }

  async function watch(): Promise<void> {
    let lookedAt = performance.now()
    while (!stopping.signal.aborted) {
      void ask().catch(error => {
        if (redis.status === 'ready' && !/timed out/i.test(String(error))) forget(String(error))
      })
      await pause(watchEveryMs, stopping.signal)
      // While this process was busy it could not hear Redis: that is no silence.
      silentMs += Math.min(performance.now() - lookedAt, 1.5 * watchEveryMs)
      lookedAt = performance.now()
      if (silentMs > silenceMsMax) forget(`silent for ${silenceMsMax} ms`)
    }
  }
  const watching = watch()
  return {
    sees: () => seen,
    heard() {
      answeredAt = performance.now()
    },
    answeredMsAgo: () => performance.now() - answeredAt,
    async stop() {
      stopping.abort()
      redis.off('close', closed)
      await watching
    },
  }
}
