import type { Log } from '@filmgate/kit/telemetry/log'
import { Redis } from 'ioredis'

/** A client that fails fast: without these limits a request hangs when Redis stalls. */
export function connectRedis(url: string, log: Log, subscriber = false): Redis {
  const redis = new Redis(url, {
    commandTimeout: 2_000,
    connectTimeout: 2_000,
    // A subscriber hears nothing for hours and must wait for its connection to subscribe.
    ...(!subscriber && { socketTimeout: 5_000, enableOfflineQueue: false }),
    ...(subscriber && { commandTimeout: undefined }),
    enableAutoPipelining: true,
    maxRetriesPerRequest: subscriber ? null : 0,
    retryStrategy: tries => Math.min(2_000, 50 * 2 ** Math.min(tries, 6)),
  })
  let failing = false
  redis.on('error', error => {
    if (!failing) log.warn({ err: error }, 'Redis does not answer')
    failing = true
  })
  redis.on('ready', () => {
    if (failing) log.info({}, 'Redis answers again')
    failing = false
  })
  return redis
}
