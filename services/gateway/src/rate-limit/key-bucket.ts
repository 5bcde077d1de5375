import { createHash } from 'node:crypto'
import type { Log } from '@filmgate/kit/log'
import { counter, gauge } from '@filmgate/kit/metrics'
import type { Redis } from 'ioredis'
import { createLocalBucket } from './local-bucket'
import type { Replicas } from './replicas'
import takeTokenLua from './take-token.lua' with { type: 'text' }
import { type TokenAnswer, windowMs } from './token'

const sha = createHash('sha1').update(takeTokenLua).digest('hex')
/** After a failure Redis is left alone this long, so that its absence costs one wait, not one a request. */
const restMs = 1_000

const local = counter('rate_limit_local', 'Requests limited by this replica alone because Redis did not answer')

/**
 * The bucket of a key, in Redis and so the same for all replicas. Without Redis each replica keeps one of its own with its share of
 * the limit: never open, never all-429.
 */
export function createKeyBucket({ redis, log, limit, replicas }: { redis: Redis; log: Log; limit: number; replicas: Replicas }) {
  let restUntil = 0
  let answered = true
  const ownShare = createLocalBucket(() => Math.max(1, Math.floor(limit / replicas.count())))
  gauge('rate_limit_redis_absent', '1 from a request that Redis did not answer until one that it does', () => (answered ? 0 : 1))

  async function take(key: string): Promise<TokenAnswer> {
    const [taken, left, waitUs] = (await run(`bucket:${key}`)) as [number, number, string]
    return { taken: taken === 1, left, waitMs: Number(waitUs) / 1_000 }
  }

  async function run(key: string): Promise<unknown> {
    try {
      return await redis.evalsha(sha, 1, key, limit, windowMs * 1_000)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(takeTokenLua, 1, key, limit, windowMs * 1_000)
    }
  }

  return async function takeToken(key: string): Promise<TokenAnswer> {
    if (performance.now() >= restUntil) {
      try {
        const taken = await take(key)
        answered = true
        return taken
      } catch (error) {
        if (performance.now() >= restUntil) log.warn({ err: error }, 'Redis did not answer, limiting by this replica alone')
        restUntil = performance.now() + restMs
        answered = false
      }
    }
    local.add()
    return ownShare(key)
  }
}
