import { createLocalBucket } from '@filmgate/kit/request/local-bucket'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { Redis } from 'ioredis'
import type { Config } from '../config'
import { createAskRedis } from '../redis/ask-redis'
import { createKeyBucket } from './key-bucket'
import { createRefusalBudget } from './refusal-budget'

/** The limits of keys, of addresses and of refusals. */
export function createLimits({ redis, log, now, config }: { redis: Redis; log: Log; now(): Date; config: Config }) {
  const askRedis = createAskRedis()
  const { rateLimit, addressRateLimit, replicasMax, refusalsMax } = config
  const addresses = createLocalBucket(addressRateLimit)
  return {
    ...{ rateLimit, addressRateLimit },
    takeToken: createKeyBucket({ redis, askRedis, log, limit: rateLimit, replicasMax }),
    takeAddressToken: addresses.take,
    giveAddressTokenBack: addresses.giveBack,
    refusals: createRefusalBudget({ redis, askRedis, log, limit: refusalsMax, now }),
  }
}
