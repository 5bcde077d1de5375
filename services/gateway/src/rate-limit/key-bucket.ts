/**
 * Limits the requests of a key: `limit` (30 by default) in any 60 s, or the limit of its account where that has one.
 *
 * ## Algorithm
 * A bucket of `limit` tokens in Redis. A request takes one, and it comes back exactly 60 s later. One Lua script
 * decides by the clock of Redis: all replicas share one bucket, and their own clocks don't matter. While every replica
 * reaches the same Redis, no 60 s admit more than `limit`, no request is refused while fewer than `limit` were
 * admitted in the 60 s before it, and a client that waits as long as Retry-After says is admitted.
 *
 * Without Redis each replica takes from a bucket of its own with max(1, floor(limit / replicasMax)) tokens a key: its
 * share. Retry-After is then 60 s: after that every replica's share is whole. The same holds for the first 60 s of
 * another Redis (restarted, promoted or emptied), because it doesn't know what its predecessor admitted. The script
 * recognizes it and notes since when it is there.
 *
 * ## Known limitation
 * Replicas don't tell each other what they admitted. In the minute around the loss of Redis a key may get limit +
 * max(limit, replicasMax) requests: `limit` from Redis, and all shares. The same holds for as long as some replicas
 * reach Redis and others don't. It is never more, because a second Redis gives nothing for its first 60 s. That needs:
 * - At most `replicasMax` replicas. Each one above it, as in a roll-out, adds its share. So does one that restarts.
 * - One Redis that takes writes. A former primary that goes on beside the promoted one adds `limit`.
 * - `maxmemory-policy noeviction`. An evicted bucket is a full one.
 * While shares are in force, fewer replicas than `replicasMax` admit less than `limit`.
 *
 * ## Errors
 * Nothing here rejects, and no error admits or refuses everything. While Redis is lost (`../redis/ask-redis.ts`; also a
 * read-only replica, or one without memory left) requests take from the share. Meanwhile `rate_limit_redis_absent` is
 * 1, and after two minutes FilmgateRateLimitWithoutRedis alerts.
 */

import { createLocalBucket, windowMs as minuteMs, type TokenAnswer } from '@filmgate/kit/request/local-bucket'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, gauge } from '@filmgate/kit/telemetry/metrics'
import type { Redis } from 'ioredis'
import type { AskRedis } from '../redis/ask-redis'
import { createRedisBucket } from './redis-bucket'

const fromShare = counter('rate_limit_local', 'Requests limited by this replica’s share because Redis is gone or new')

export type KeyBucketDeps = {
  redis: Redis
  askRedis: AskRedis
  log: Log
  limit: number
  /** At most so many replicas run, as the chart says. */
  replicasMax: number
  /** For tests, in which a minute passes in seconds. */
  windowMs?: number
}

export function createKeyBucket({ redis, askRedis, log, limit, replicasMax, windowMs = minuteMs }: KeyBucketDeps) {
  const takeFromRedis = createRedisBucket(redis, { limit, windowMs })
  const shareOf = (keyLimit: number) => Math.max(1, Math.floor(keyLimit / replicasMax))
  const share = createLocalBucket(shareOf(limit), { windowMs })
  let source: 'redis' | 'share' | undefined

  function noteSource(next: 'redis' | 'share', error?: unknown): void {
    if (source !== next && next === 'redis') log.info({}, 'tokens are taken from Redis')
    if (source !== next && next === 'share') log.warn({ err: error }, 'tokens are taken from the share of this replica')
    source = next
  }

  /** Undefined where Redis is gone or new. */
  async function takeIfThere(key: string, keyLimit = limit): Promise<TokenAnswer | undefined> {
    try {
      const answer = await askRedis.ask(takeFromRedis(key, keyLimit))
      noteSource(answer ? 'redis' : 'share')
      return answer
    } catch (error) {
      noteSource('share', error)
      return undefined
    }
  }

  /** Takes no token; notes a new Redis. */
  const probe = () => takeIfThere('', 0)

  redis.on('ready', probe)
  gauge('rate_limit_redis_absent', '1 while tokens are not taken from Redis', async () => ((await probe()) ? 0 : 1))

  return async function takeToken(key: string, keyLimit = limit): Promise<TokenAnswer> {
    const answer = askRedis.mayAsk() ? await takeIfThere(key, keyLimit) : undefined
    if (answer) return answer
    fromShare.add()
    // The next request may reach another replica: only after a whole window is every share sure to have a token.
    return { ...share.take(key, shareOf(keyLimit)), waitMs: windowMs }
  }
}
