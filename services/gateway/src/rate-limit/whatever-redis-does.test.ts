import { afterAll, beforeAll, expect, test } from 'bun:test'
import { pause } from '@filmgate/kit/deadline'
import { servers, type TestDatabase, testDatabase, until } from '@filmgate/kit/testing'
import { migrationsFolder } from '../database/migrations-folder'
import { nowMs } from './testing/clock'
import { createFaults, type FaultName } from './testing/faults'
import { type Decision, mostInOneWindow, refusedTooSoon, waitsMs } from './testing/judge'
import { redisProgram, startRedis } from './testing/own-redis'
import { type Replica, startReplicas } from './testing/replica'
import { arrive, type Obedience, obey } from './testing/storm'

/** The minute passes in two seconds; all else is as in production. */
const [limit, windowMs] = [30, 2_000]
/** 100 on an idle machine, which `bun run test:load limits` measures. */
const addedMsMax = 1_000

let database: TestDatabase
let replicas: Replica[]
let redis: ReturnType<typeof createFaults>
const decisions: Decision[] = []
const faultsAt: number[] = []
const storms: Promise<unknown>[] = []
const clients: Promise<Obedience>[] = []
let running = true

beforeAll(async () => {
  database = await testDatabase(migrationsFolder)
  const program = await redisProgram(servers.redisUrl)
  const first = await startRedis(program)
  replicas = await startReplicas({ databaseUrl: database.url, redisPort: first.port, limit, windowMs })
  redis = createFaults(program, first, replicas)
  for (const key of ['a', 'b', 'c']) storms.push(storm(key))
  for (const key of ['d', 'e'])
    clients.push(obey(replicas, { key, random: Math.random, running: () => running, everyMs: 20 }, decisions, faultsAt))
}, 60_000)
afterAll(async () => {
  running = false
  await Promise.all(storms)
  await Promise.all(replicas.map(replica => replica.stop()))
  await redis.stop()
  await database.drop()
})

/** More than the limit, through all replicas, in bursts. */
async function storm(key: string): Promise<void> {
  while (running) {
    const burst = Math.random() < 0.05 ? limit + 10 : 1
    const replica = Math.floor(Math.random() * replicas.length)
    await Promise.all(Array.from({ length: burst }, () => arrive(replicas, replica, key, decisions)))
    await pause(20 * Math.random())
  }
}

test('with Redis well no window lets 31 through, and none is refused with fewer than 30', async () => {
  const judge = () => refusedTooSoon(decisions, windowMs, limit)
  await until('refusals that can be judged', () => judge().judged > 500)
  expect(judge().tooSoon).toEqual([])
  expect(mostInOneWindow(decisions, windowMs)).toBe(limit)
}, 30_000)

for (const name of [
  'restarted empty',
  'killed and started later',
  'stalled',
  'stalled for a moment',
  'failed over',
  'emptied',
  'out of one replica’s reach',
] satisfies FaultName[])
  test(`Redis ${name}: no window lets 31 through`, async () => {
    const from = decisions.length
    faultsAt.push(nowMs())
    await redis.faults[name]()
    if (name !== 'stalled for a moment') await until('Redis is left', () => replicas.some(({ kind }) => kind() !== 'redis'))
    await until('all replicas decide', () => replicas.every(({ kind }) => kind() !== 'lost'))
    await until('all take from Redis again', () => replicas.every(({ kind }) => kind() === 'redis'))
    faultsAt.push(nowMs())
    await pause(windowMs / 4)
    expect(mostInOneWindow(decisions, windowMs)).toBe(limit)
    expect(decisions.slice(from).some(({ came }) => came === 'taken')).toBe(true)
  }, 30_000)

test('who waits as long as it was told is let through', async () => {
  running = false
  const sums = await Promise.all(clients)
  expect(sums.map(({ broken }) => broken)).toEqual([0, 0])
  expect(Math.min(...sums.map(({ kept }) => kept))).toBeGreaterThan(0)
}, 30_000)

test(`99 of 100 wait no longer than ${addedMsMax} ms for a token, whatever became of Redis`, async () => {
  await Promise.all(storms)
  const busy = await Promise.all(replicas.map(replica => replica.stop()))
  const waits = waitsMs(decisions, busy)
  expect(waits[Math.floor(waits.length * 0.99)]).toBeLessThan(addedMsMax)
})
