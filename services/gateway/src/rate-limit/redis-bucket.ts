import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import takeTokenLua from './take-token.lua' with { type: 'text' }
import type { TokenAnswer } from './token'

const takeTokenSha = createHash('sha1').update(takeTokenLua).digest('hex')

export type TakeFromRedis = (key: string, limit?: number) => Promise<TokenAnswer | undefined>

/** Takes tokens from Redis in one script. Undefined while this Redis is new: it doesn't know all of the last window. */
export function createRedisBucket(redis: Redis, { limit, windowMs }: { limit: number; windowMs: number }): TakeFromRedis {
  async function run(key: string, limit: number): Promise<unknown> {
    const given = [2, `limits:key:${key}`, 'limits:redis', limit, windowMs * 1_000] as const
    try {
      return await redis.evalsha(takeTokenSha, ...given)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(takeTokenLua, ...given)
    }
  }
  return async function takeFromRedis(key, keyLimit = limit) {
    const [taken, left, waitUs] = (await run(key, keyLimit)) as [number, number, string]
    return taken < 0 ? undefined : { taken: taken === 1, left, waitMs: Number(waitUs) / 1_000 }
  }
}
