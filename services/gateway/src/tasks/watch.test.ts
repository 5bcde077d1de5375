import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { servers, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { connectRedis } from '../redis/connect-redis'
import type { Task } from './task'
import { createTaskWatch } from './watch'

const database = await testDatabase(join(import.meta.dir, '../../migrations'))
const connections = [0, 1, 2, 3, 4].map(n => connectRedis(servers.redisUrl, testLog, n > 1))
const [redis, otherRedis, subscriber, otherSubscriber, listener] = connections as [Redis, Redis, Redis, Redis, Redis]
type Redis = ReturnType<typeof connectRedis>
const watch = createTaskWatch({ sql: database.sql, redis, subscriber, log: testLog })
const other = createTaskWatch({ sql: database.sql, redis: otherRedis, subscriber: otherSubscriber, log: testLog })
afterAll(async () => {
  await Promise.all([watch.stop(), other.stop()])
  for (const connection of connections) connection.disconnect()
  await database.drop()
})

const told: string[] = []
listener.on('message', (_, text: string) => told.push(...text.split(',')))
await listener.subscribe('tasks')
await until('connections to Redis', () => [redis, otherRedis].every(({ status }) => status === 'ready'))

const taskOf = (id: string) => ({ id }) as Task

test('who waits here is told at once, and the others are not', async () => {
  const [id, marker] = [crypto.randomUUID(), crypto.randomUUID()]
  const task = taskOf(id)
  const waiting = watch.wait(id, () => true, 30_000)
  watch.wake([task])
  expect(await waiting).toBe(task)
  watch.wake([taskOf(marker)])
  await until('the wake-up', () => told.includes(marker))
  expect(told).not.toContain(id)
})

test('a task that nobody here waits for is told to the other replicas', async () => {
  const id = crypto.randomUUID()
  const gaveUp = new AbortController()
  const waiting = watch.wait(id, () => true, 30_000, gaveUp.signal)
  other.wake([taskOf(id)])
  await until('the wake-up', () => told.includes(id))
  gaveUp.abort()
  expect(await waiting).toBeUndefined()
})
