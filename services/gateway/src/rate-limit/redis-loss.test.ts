import { beforeAll, expect, test } from 'bun:test'
import { pause } from '@filmgate/kit/deadline'
import { servers, until } from '@filmgate/kit/testing'
import { Redis } from 'ioredis'
import { createRedisBucket } from './redis-bucket'
import { type OwnRedis, redisProgram, startRedis } from './testing/own-redis'
import { mostInOneWindow, type Replicas, startReplicas, startStorm } from './testing/storm'

/** The minute passes in two seconds; all else is as in production. */
const windowMs = 2_000
const outageMs = 1_200

let program: string
beforeAll(async () => {
  program = await redisProgram(servers.redisUrl)
})

type Fault = (redis: OwnRedis, replicas: Replicas) => Promise<OwnRedis>

async function restart(redis: OwnRedis): Promise<OwnRedis> {
  await redis.kill()
  return startRedis(program, { port: redis.port })
}

async function stopForAWhile(redis: OwnRedis): Promise<OwnRedis> {
  await redis.kill()
  await pause(outageMs)
  return startRedis(program, { port: redis.port })
}

async function empty(redis: OwnRedis): Promise<OwnRedis> {
  await redis.call('FLUSHALL')
  return redis
}

/** Its replica is promoted without the burst that it took last. */
async function failOver(redis: OwnRedis, { connections }: Replicas): Promise<OwnRedis> {
  const promoted = await startRedis(program, { replicaOf: redis })
  await promoted.call('REPLICAOF', 'NO', 'ONE')
  await pause(windowMs)
  await redis.kill()
  for (const connection of connections) {
    connection.options.port = promoted.port
    connection.disconnect(true)
  }
  return promoted
}

async function stall(redis: OwnRedis): Promise<OwnRedis> {
  redis.signal('SIGSTOP')
  await pause(outageMs)
  redis.signal('SIGCONT')
  return redis
}

async function refuseWrites(redis: OwnRedis): Promise<OwnRedis> {
  await redis.call('CONFIG', 'SET', 'maxmemory', '1')
  await pause(windowMs)
  await redis.call('CONFIG', 'SET', 'maxmemory', '0')
  return redis
}

async function cutOffOne(redis: OwnRedis, { connections: [first] }: Replicas): Promise<OwnRedis> {
  first?.disconnect()
  await pause(outageMs)
  await first?.connect()
  return redis
}

test.concurrent.each<[string, Fault, { limit: number; replicas: number }]>([
  ['restarted', restart, { limit: 30, replicas: 3 }],
  ['stopped, and started later', stopForAWhile, { limit: 30, replicas: 3 }],
  ['emptied', empty, { limit: 30, replicas: 3 }],
  ['emptied, with more replicas than requests a minute', empty, { limit: 2, replicas: 5 }],
  ['replaced by a replica that lagged', failOver, { limit: 30, replicas: 3 }],
  ['stalled', stall, { limit: 30, replicas: 3 }],
  ['without memory', refuseWrites, { limit: 30, replicas: 3 }],
  ['out of one replica’s reach', cutOffOne, { limit: 30, replicas: 3 }],
])(
  'Redis %s: no window admits more than limit + max(limit, replicasMax), and no replica refuses or admits everything',
  async (_, fault, { limit, replicas: count }) => {
    const first = await startRedis(program)
    const replicas = startReplicas(first.url, { limit, replicas: count, windowMs })
    await until('all replicas take from Redis', replicas.allOnRedis)
    const storm = startStorm(replicas, 'key')
    // Redis is lost after the second burst, and most of its window is still to come.
    await pause(1.2 * windowMs)
    const lostMs = performance.now()
    const last = await fault(first, replicas)
    await until('all replicas take from Redis again', replicas.allOnRedis)
    const backMs = performance.now()
    await pause(3 * windowMs)
    await storm.stop()
    replicas.stop()
    await last.kill()

    const within = (fromMs: number, toMs: number) => storm.decisions.filter(({ sentMs, atMs }) => sentMs >= fromMs && atMs < toMs)
    expect(mostInOneWindow(within(0, lostMs), windowMs)).toBeLessThanOrEqual(limit)
    expect(mostInOneWindow(storm.decisions, windowMs)).toBeGreaterThan(limit)
    expect(mostInOneWindow(storm.decisions, windowMs)).toBeLessThanOrEqual(limit + Math.max(limit, count))
    for (let replica = 0; replica < count; replica++) {
      const decided = within(lostMs, backMs + windowMs).filter(each => each.replica === replica)
      expect([replica, new Set(decided.map(({ taken }) => taken)).size]).toEqual([replica, 2])
    }
    const after = within(backMs + windowMs, Number.POSITIVE_INFINITY)
    expect(after.some(({ taken }) => taken)).toBe(true)
    expect(mostInOneWindow(after, windowMs)).toBeLessThanOrEqual(limit)
  },
  60_000,
)

test('a Redis that takes no writes fails the probe of the alert as it fails requests', async () => {
  const own = await startRedis(program)
  const connection = new Redis(own.url)
  const take = createRedisBucket(connection, { limit: 30, windowMs: 1 })
  await take('', 0)
  await own.call('CONFIG', 'SET', 'maxmemory', '1')
  await expect(take('', 0)).rejects.toThrow('OOM')
  await expect(take('key')).rejects.toThrow('OOM')
  connection.disconnect()
  await own.kill()
})
