import type { TokenAnswer } from '@filmgate/kit/request/local-bucket'
import type { Redis } from 'ioredis'
import { createRunScript } from '../redis/run-script'
import takeTokenLua from './take-token.lua' with { type: 'text' }

export type TakeFromRedis = (key: string, limit?: number) => Promise<TokenAnswer | undefined>

/** Takes tokens from Redis in one script. Undefined while this Redis is new: it doesn't know all of the last window. */
export function createRedisBucket(redis: Redis, { limit, windowMs }: { limit: number; windowMs: number }): TakeFromRedis {
  const run = createRunScript(redis, takeTokenLua)
  return async function takeFromRedis(key, keyLimit = limit) {
    const answer = await run([`limits:key:${key}`, 'limits:redis'], [keyLimit, windowMs * 1_000])
    const [taken, left, waitUs] = answer as [number, number, string]
    return taken < 0 ? undefined : { taken: taken === 1, left, waitMs: Number(waitUs) / 1_000 }
  }
}
