import { afterAll, expect, test } from 'bun:test'
import { servers, testLog, until } from '@filmgate/kit/testing'
import { connectRedis } from '../redis'
import { createKeyBucket } from './key-bucket'
import { createLocalBucket } from './local-bucket'

const redis = connectRedis(servers.redisUrl, testLog)
afterAll(() => redis.disconnect())
const alone = { count: () => 1, stop: async () => {} }

test('a bucket of 30 lets 30 through at once, refuses the next and says when the first comes back', async () => {
  await until('Redis is connected', () => redis.status === 'ready')
  const take = createKeyBucket({ redis, log: testLog, limit: 30, replicas: alone })
  const key = crypto.randomUUID()
  const answers = await Promise.all(Array.from({ length: 40 }, () => take(key)))
  expect(answers.filter(answer => answer.taken)).toHaveLength(30)
  expect(answers.map(answer => answer.left).slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index))
  const refused = answers.at(-1)
  expect(refused?.waitMs).toBeGreaterThan(58_000)
  expect(refused?.waitMs).toBeLessThanOrEqual(60_000)
})
test('each token comes back exactly a minute after it was taken', async () => {
  const take = createKeyBucket({ redis, log: testLog, limit: 2, replicas: alone })
  const key = crypto.randomUUID()
  const nowUs = Number((await redis.time())[0]) * 1e6
  // Two taken by hand: one to come back in the past, one 5 s from now.
  await redis.rpush(`bucket:${key}`, nowUs - 55e6, nowUs - 61e6)
  const first = await take(key)
  expect(first).toMatchObject({ taken: true, left: 0 })
  const second = await take(key)
  expect(second.taken).toBe(false)
  expect(second.waitMs).toBeGreaterThan(3_000)
  expect(second.waitMs).toBeLessThanOrEqual(6_100)
})
test('without Redis each of three replicas lets its third through, not all and not none', async () => {
  const gone = connectRedis('redis://127.0.0.1:1', testLog)
  const take = createKeyBucket({ redis: gone, log: testLog, limit: 30, replicas: { ...alone, count: () => 3 } })
  const answers = await Promise.all(Array.from({ length: 20 }, () => take('k')))
  expect(answers.filter(answer => answer.taken)).toHaveLength(10)
  gone.disconnect()
})
test('the local bucket gives each token back a window later', () => {
  let now = 0
  const take = createLocalBucket(
    () => 2,
    () => now,
  )
  expect(take('k').taken).toBe(true)
  now = 10_000
  expect(take('k')).toEqual({ taken: true, left: 0, waitMs: 50_000 })
  now = 59_999
  expect(take('k')).toEqual({ taken: false, left: 0, waitMs: 1 })
  now = 60_000
  expect(take('k')).toEqual({ taken: true, left: 0, waitMs: 10_000 })
})
