import { afterAll, expect, test } from 'bun:test'
import { pause } from '@filmgate/kit/deadline'
import { createLocalBucket } from '@filmgate/kit/request/local-bucket'
import { servers, testLog, until } from '@filmgate/kit/testing'
import { createAskRedis } from '../redis/ask-redis'
import { connectRedis } from '../redis/connect-redis'
import { createKeyBucket } from './key-bucket'
import { mostInOneWindow, refusedTooSoon, startReplicas, startStorm } from './testing/storm'

const redis = connectRedis(servers.redisUrl, testLog)
const gone = connectRedis('redis://127.0.0.1:1', testLog)
afterAll(() => {
  redis.disconnect()
  gone.disconnect()
})

const takeMany = (takeToken: ReturnType<typeof createKeyBucket>, key: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => takeToken(key)))

test('a bucket of 30 lets 30 through at once, refuses the next and says when the first comes back', async () => {
  const takeToken = createKeyBucket({ redis, askRedis: createAskRedis(), log: testLog, limit: 30, replicasMax: 2 })
  await until('Redis', () => redis.status === 'ready')
  const answers = await takeMany(takeToken, crypto.randomUUID(), 40)
  expect(answers.filter(answer => answer.taken)).toHaveLength(30)
  expect(answers.map(answer => answer.left).slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index))
  const refused = answers.at(-1)
  expect(refused?.waitMs).toBeGreaterThan(50_000)
  expect(refused?.waitMs).toBeLessThanOrEqual(60_000)
})

test('a key whose account has a limit of its own has that one, also of the share; after it is lowered, waiting as told is enough', async () => {
  const own = { log: testLog, limit: 2, replicasMax: 2 }
  const takeToken = createKeyBucket({ redis, askRedis: createAskRedis(), ...own })
  const key = crypto.randomUUID()
  await until('Redis', () => redis.status === 'ready')
  const raised = await Promise.all(Array.from({ length: 8 }, () => takeToken(key, 6)))
  expect(raised.filter(({ taken }) => taken)).toHaveLength(6)
  const bucket = `limits:key:${key}`
  const nowUs = Number((await redis.time())[0]) * 1e6
  // Six taken, each 5 s after the one before: two may be there, so the fifth of them has to come back.
  await redis.del(bucket)
  await redis.rpush(bucket, ...[5, 10, 15, 20, 25, 30].map(seconds => nowUs - seconds * 1e6))
  const lowered = await takeToken(key, 2)
  expect(lowered).toMatchObject({ taken: false, left: 0 })
  expect(Math.round(lowered.waitMs / 1_000)).toBeWithin(48, 52)
  const ofShare = createKeyBucket({ redis: gone, askRedis: createAskRedis(), ...own })
  const shares = await Promise.all(Array.from({ length: 8 }, () => ofShare(key, 6)))
  expect(shares.filter(({ taken }) => taken)).toHaveLength(3)
})

test('each token comes back exactly a minute after it was taken', async () => {
  const takeToken = createKeyBucket({ redis, askRedis: createAskRedis(), log: testLog, limit: 2, replicasMax: 1 })
  const key = crypto.randomUUID()
  expect((await takeToken(key)).taken).toBe(true)
  const bucket = `limits:key:${key}`
  const nowUs = Number((await redis.time())[0]) * 1e6
  // Two taken by hand: one to come back in the past, one 5 s from now.
  expect(await redis.del(bucket)).toBe(1)
  await redis.rpush(bucket, nowUs - 55e6, nowUs - 61e6)
  expect(await takeToken(key)).toMatchObject({ taken: true, left: 0 })
  const second = await takeToken(key)
  expect(second.taken).toBe(false)
  expect(second.waitMs).toBeLessThanOrEqual(6_100)
})

test('with one Redis no window admits more than the limit, none is refused with fewer, and whoever waits as told is admitted', async () => {
  const [limit, windowMs] = [30, 1_000]
  const replicas = startReplicas(servers.redisUrl, { limit, replicas: 3, windowMs })
  await until('all replicas take from Redis', replicas.allOnRedis)
  const storm = startStorm(replicas, crypto.randomUUID())
  const client = crypto.randomUUID()
  const waited: boolean[] = []
  for (let turn = 0; waited.length < 3; turn++) {
    const { taken, waitMs } = await replicas.take(turn % 3, client)
    if (taken) continue
    await pause(Math.ceil(waitMs))
    waited.push((await replicas.take((turn + 1) % 3, client)).taken)
  }
  await storm.stop()
  replicas.stop()
  expect(waited).toEqual([true, true, true])
  expect(mostInOneWindow(storm.decisions, windowMs)).toBeLessThanOrEqual(limit)
  expect(storm.decisions.filter(({ taken }) => !taken).length).toBeGreaterThan(limit)
  expect(refusedTooSoon(storm.decisions, { limit, windowMs })).toBe(0)
}, 30_000)

test.each([
  { limit: 30, replicasMax: 1, share: 30 },
  { limit: 30, replicasMax: 4, share: 7 },
  { limit: 30, replicasMax: 40, share: 1 },
])(
  'without Redis a replica of $replicasMax admits $share of $limit, and says to wait for a minute',
  async ({ limit, replicasMax, share }) => {
    const answers = await takeMany(
      createKeyBucket({ redis: gone, askRedis: createAskRedis(), log: testLog, limit, replicasMax }),
      'key',
      40,
    )
    expect(answers.map(({ taken }) => taken)).toEqual(Array.from({ length: 40 }, (_, index) => index < share))
    expect(answers.at(-1)).toEqual({ taken: false, left: 0, waitMs: 60_000 })
  },
)

test('the local bucket gives each token back a window later', () => {
  let now = 0
  const { take, giveBack } = createLocalBucket(2, { now: () => now })
  expect(take('k').taken).toBe(true)
  now = 10_000
  expect(take('k')).toEqual({ taken: true, left: 0, waitMs: 50_000 })
  now = 59_999
  expect(take('k')).toEqual({ taken: false, left: 0, waitMs: 1 })
  now = 60_000
  expect(take('k')).toEqual({ taken: true, left: 0, waitMs: 10_000 })
  giveBack('k')
  giveBack('nobody')
  expect(take('k')).toEqual({ taken: true, left: 0, waitMs: 10_000 })
})
