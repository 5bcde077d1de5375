import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, gauge } from '@filmgate/kit/telemetry/metrics'
import type { Redis } from 'ioredis'
import type { Reason } from '../errors'
import { createRecentRequests } from './recent-requests'
import { followRounds } from './rounds/follow-rounds'
import type { Phase } from './rounds/phase'
import { windowMs as minuteMs, type TokenAnswer } from './token'
import { createRedisStore, type RedisRound } from './tokens/redis-store'
import { watchRedis } from './tokens/watch-redis'

/** How long a request waits for a Redis that does not answer; with what a busy machine adds to a timer it stays below the 100 ms we allow. */
const answerMsMax = 60
/** When that wait is over, Redis counts as silent if it was quiet for so long while this process listened; else the machine is busy. */
const quietMsMin = 50
const busyMsMax = 2_000
/** How long the replicas take to agree when all of them are alive. */
const retryAfterSeconds = 1
const sweepEveryMs = 10_000

const local = counter('rate_limit_local', 'Requests limited by this replica’s share because Redis did not answer')
const undecided = counter('rate_limit_undecided', 'Requests refused while the replicas agreed on where tokens are taken from')

export type KeyBucketDeps = {
  redis: Redis
  sql: Sql
  log: Log
  limit: number
  /** For tests, which let minutes pass in seconds. */
  windowMs?: number
  waitMsMax?: number
  now?: () => number
}

/**
 * The bucket of a key, the same for all replicas: no window of a minute lets more than the limit through, whatever Redis does. Its
 * tokens are in Redis, or in shares while Redis is gone; in between, for as long as the replicas agree, nothing is let through.
 */
export function createKeyBucket({
  redis,
  sql,
  log,
  limit,
  windowMs = minuteMs,
  waitMsMax = answerMsMax,
  now = () => performance.now(),
}: KeyBucketDeps) {
  const recent = createRecentRequests(windowMs)
  const store = createRedisStore(redis, { limit, windowMs })
  const rounds = followRounds({ sql, store, recent, log, limit, windowMs, sees: () => watch.sees(), now })
  const watch = watchRedis({ redis, store, round: rounds.roundName, lost: rounds.lose })
  const sweeping = setInterval(() => recent.sweep(now()), sweepEveryMs)
  let agreed = false
  gauge('rate_limit_redis_absent', '1 while tokens are not taken from Redis', () => (rounds.current().kind === 'redis' ? 0 : 1))

  async function askRedis(round: RedisRound, key: string): Promise<TokenAnswer | undefined> {
    try {
      const answer = await store.take(round, key)
      watch.answered()
      return answer
    } catch (error) {
      // Whether Redis is silent the watch decides; after an error no token can be taken from it.
      if (!/timed out/i.test(String(error))) rounds.lose(String(error))
      return undefined
    }
  }

  /** While Redis answers others, or this process could not listen, its answer is waited for longer. */
  async function awaitAnswer(asked: Promise<TokenAnswer | undefined>, phase: Phase, waitMs: number): Promise<TokenAnswer | undefined> {
    const sentMs = now()
    for (let forMs = waitMs; ; forMs = quietMsMin) {
      const answer = await rounds.during(forMs, asked)
      if (answer || rounds.current() !== phase) return answer
      if (watch.quietMs() >= quietMsMin || now() - sentMs > busyMsMax) return undefined
    }
  }

  async function takeToken(key: string): Promise<TokenAnswer> {
    const endMs = now() + waitMsMax
    for (let phase = rounds.current(); now() < endMs; phase = rounds.current()) {
      if (phase.kind === 'lost') {
        await rounds.during(endMs - now())
        continue
      }
      if (phase.kind === 'shares') local.add()
      const answer = phase.kind === 'shares' ? phase.take(key) : await awaitAnswer(askRedis(phase.round, key), phase, endMs - now())
      // An answer that comes after Redis was left lets nothing through: this replica may already have written what it let through.
      if (!answer || rounds.current() !== phase) continue
      if (answer.taken) recent.add(key, now())
      return answer
    }
    undecided.add()
    throw new Failure<Reason>('service_unavailable', { retryAfterSeconds })
  }

  return {
    takeToken,
    /** True from when the replicas first agreed. */
    agreed: () => (agreed ||= rounds.current().kind !== 'lost'),
    kind: () => rounds.current().kind,
    async stop() {
      clearInterval(sweeping)
      await rounds.stop()
      await watch.stop()
    },
  }
}
export type KeyBucket = ReturnType<typeof createKeyBucket>
