import { pause } from '@filmgate/kit/deadline'
import type { Redis } from 'ioredis'
import type { RedisStore } from './redis-store'

const watchEveryMs = 25
/** In a turn that took longer this process was busy, so that Redis's answers were not read. */
const turnMsMax = 1.5 * watchEveryMs
/** A Redis that does not answer for so long is gone. A loaded machine delays an answer by less, and clients hardly notice this much. */
const silenceMsMax = 500

export type RedisWatch = {
  /** The history of writes of the Redis that this replica reaches; undefined where it reaches none that takes writes. */
  sees(): string | undefined
  /** Redis has answered another question. */
  answered(): void
  /** For how long nothing was heard although this process listened. */
  quietMs(): number
  stop(): Promise<void>
}

/** Asks Redis who it is, forty times a second. `lost` is called when it was there and no longer is, or is another. */
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
  let quietMs = 0

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
    quietMs = 0
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
      const turnMs = performance.now() - lookedAt
      lookedAt += turnMs
      silentMs += Math.min(turnMs, turnMsMax)
      if (turnMs < turnMsMax) quietMs += turnMs
      if (silentMs > silenceMsMax) forget(`silent for ${silenceMsMax} ms`)
    }
  }
  const watching = watch()
  return {
    sees: () => seen,
    answered() {
      quietMs = 0
    },
    quietMs: () => quietMs,
    async stop() {
      stopping.abort()
      redis.off('close', closed)
      await watching
    },
  }
}
