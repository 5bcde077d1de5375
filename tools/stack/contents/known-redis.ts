import { RedisClient } from 'bun'
import type { Addresses } from '../addresses'

/**
 * Gateways take no tokens from a new Redis for a minute, because its predecessor may have given some
 * (services/gateway/src/rate-limit/take-token.lua). The stack's own Redis has no predecessor: noted as known, it is
 * used at once. One that is noted already stays as it is.
 */
export async function noteKnownRedis({ redisUrl }: Addresses): Promise<void> {
  const redis = new RedisClient(redisUrl)
  try {
    const [, replid = ''] = /master_replid:(\w+)/.exec(await redis.send('INFO', ['replication'])) ?? []
    if (!(await redis.exists('limits:redis'))) await redis.send('HSET', ['limits:redis', 'replid', replid, 'since', '0'])
  } finally {
    redis.close()
  }
}
