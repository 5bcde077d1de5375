import { RedisClient } from 'bun'
import { settings } from '../settings'

/** Lets seconds pass for the tokens a key has taken: its bucket holds when each was, in microseconds. */
export async function passSeconds(keyId: string, seconds: number): Promise<void> {
  const redis = new RedisClient(settings.redisUrl)
  try {
    for (const bucket of await redis.keys(`limits:key:${keyId}`)) {
      const taken = await redis.lrange(bucket, 0, -1)
      await Promise.all(taken.map((at, index) => redis.send('LSET', [bucket, String(index), String(Number(at) - seconds * 1e6)])))
    }
  } finally {
    redis.close()
  }
}
