import { randomUUID } from 'node:crypto'
import { pause } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/log'
import type { Redis } from 'ioredis'

const beatEveryMs = 5_000
const goneAfterMs = 15_000
const key = 'replicas'

export type Replicas = { count(): number; stop(): Promise<void> }

/** How many gateways are alive, as last seen in Redis: the divisor of the limit when Redis is gone. */
export function countReplicas(redis: Redis, log: Log): Replicas {
  const self = randomUUID()
  const stopping = new AbortController()
  let alive = 1

  async function beat(): Promise<void> {
    const now = Date.now()
    await redis.zadd(key, now, self)
    await redis.zremrangebyscore(key, 0, now - goneAfterMs)
    alive = Math.max(1, await redis.zcard(key))
  }

  async function beats(): Promise<void> {
    while (!stopping.signal.aborted) {
      await beat().catch(error => log.debug({ err: error }, 'replica not counted'))
      await pause(beatEveryMs, stopping.signal)
    }
    await redis.zrem(key, self).catch(() => 0)
  }

  const beating = beats()
  return {
    count: () => alive,
    async stop() {
      stopping.abort()
      await beating
    },
  }
}
