import { afterAll, beforeAll, expect, test } from 'bun:test'
import { servers, type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { migrationsFolder } from '../database/migrations-folder'
import { connectRedis } from '../redis/connect-redis'
import { createKeyBucket, type KeyBucket } from './key-bucket'
import { createLocalBucket } from './local-bucket'

const redis = connectRedis(servers.redisUrl, testLog)
const opened: KeyBucket[] = []
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(migrationsFolder)
})
afterAll(async () => {
  for (const bucket of opened) await bucket.stop()
  redis.disconnect()
  await database.drop()
})

async function open(limit: number, at = redis) {
  const bucket = createKeyBucket({ redis: at, sql: database.sql, log: testLog, limit })
  opened.push(bucket)
  await until('the replicas agree', () => bucket.kind() === (at === redis ? 'redis' : 'shares'))
  return bucket
}

test('a bucket of 30 lets 30 through at once, refuses the next and says when the first comes back', async () => {
  const { takeToken } = await open(30)
  const key = crypto.randomUUID()
  const answers = await Promise.all(Array.from({ length: 40 }, () => takeToken(key)))
  expect(answers.filter(answer => answer.taken)).toHaveLength(30)
  expect(answers.map(answer => answer.left).slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index))
  const refused = answers.at(-1)
  expect(refused?.waitMs).toBeGreaterThan(50_000)
  expect(refused?.waitMs).toBeLessThanOrEqual(60_000)
})
test('each token comes back exactly a minute after it was taken', async () => {
  const { takeToken } = await open(2)
  const key = crypto.randomUUID()
  expect((await takeToken(key)).taken).toBe(true)
  const [bucket = ''] = await redis.keys(`limits:*:${key}`)
  const nowUs = Number((await redis.time())[0]) * 1e6
  // Two taken by hand: one to come back in the past, one 5 s from now.
  await redis.del(bucket)
  await redis.rpush(bucket, nowUs - 55e6, nowUs - 61e6)
  expect(await takeToken(key)).toMatchObject({ taken: true, left: 0 })
  const second = await takeToken(key)
  expect(second.taken).toBe(false)
  expect(second.waitMs).toBeLessThanOrEqual(6_100)
})
test('a replica that comes while Redis is gone takes its share of what the others agreed on, and gives it up when it leaves', async () => {
  const gone = connectRedis('redis://127.0.0.1:1', testLog)
  const shared = await testDatabase(migrationsFolder)
  const start = () => createKeyBucket({ redis: gone, sql: shared.sql, log: testLog, limit: 30 })
  const taken = async (bucket: KeyBucket, key: string) => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => bucket.takeToken(key)))
    return answers.filter(answer => answer.taken).length
  }
  const first = start()
  await until('the first is alone', () => first.kind() === 'shares')
  expect(await taken(first, 'a')).toBe(30)
  const [second, third] = [start(), start()]
  await until('the three agree', async () => {
    const [round] = await shared.sql<{ members: string[] }[]>`select members from rate_limit_round`
    return round?.members.length === 3 && [first, second, third].every(({ kind }) => kind() === 'shares')
  })
  expect([await taken(second, 'a'), await taken(third, 'a')]).toEqual([0, 0])
  expect((await Promise.all([first, second, third].map(each => taken(each, 'b')))).toSorted()).toEqual([10, 10, 10])
  await third.stop()
  await second.stop()
  await first.stop()
  const next = start()
  await until('the next is alone', () => next.kind() === 'shares')
  expect([await taken(next, 'b'), await taken(next, 'c')]).toEqual([0, 30])
  await next.stop()
  gone.disconnect()
  await shared.drop()
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
