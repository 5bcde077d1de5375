import { Failure } from '@filmgate/kit/failure'
import type { Log } from '@filmgate/kit/log'
import { counter, gauge } from '@filmgate/kit/metrics'
import type { Sql } from '@filmgate/kit/postgres'
import type { Redis } from 'ioredis'
import type { Reason } from '../errors'
import { createAdmissions } from './admissions'
import { followRounds } from './rounds/follow-rounds'
import type { Phase } from './rounds/phase'
import { windowMs as minuteMs, type TokenAnswer } from './token'
import { createRedisStore, type RedisRound } from './tokens/redis-store'
import { watchRedis } from './tokens/watch-redis'

/** What a request waits for a Redis that says nothing. */
const answerMsMax = 90
/** And when that wait is over a Redis that was quiet for so long, while this process listened, says nothing; else the machine is busy. */
const quietMsMin = 50
const busyMsMax = 2_000
/** How long agreeing takes where every replica lives. */
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
  const admitted = createAdmissions(windowMs)
  const store = createRedisStore(redis, { limit, windowMs })
  const rounds = followRounds({ sql, store, admitted, log, limit, windowMs, sees: () => watch.sees(), now })
  const watch = watchRedis({ redis, store, round: rounds.roundName, lost: rounds.lose })
  const sweeping = setInterval(() => admitted.sweep(now()), sweepEveryMs)
  let agreed = false
  gauge('rate_limit_redis_absent', '1 while tokens are not taken from Redis', () => (rounds.current().kind === 'redis' ? 0 : 1))

  async function askRedis(round: RedisRound, key: string): Promise<TokenAnswer | undefined> {
    try {
      const answer = await store.take(round, key)
      watch.heard()
      return answer
    } catch (error) {
      // Silence is the watch's to judge; an error is a Redis that can't be taken from.
      if (!/timed out/i.test(String(error))) rounds.lose(String(error))
      return undefined
    }
  }

  /** While Redis answers others, or this process could not listen, its answer is waited for longer. */
  async function heard(asked: Promise<TokenAnswer | undefined>, phase: Phase, waitMs: number): Promise<TokenAnswer | undefined> {
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
      const answer = phase.kind === 'shares' ? phase.take(key) : await heard(askRedis(phase.round, key), phase, endMs - now())
      // What Redis says once it was left, or too late, lets nobody through: the others may have been told already.
      if (!answer || rounds.current() !== phase) continue
      if (answer.taken) admitted.add(key, now())
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
