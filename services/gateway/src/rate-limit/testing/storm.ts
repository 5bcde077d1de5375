import { pause } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import { connectPostgres } from '@filmgate/kit/postgres'
import { testLog, until } from '@filmgate/kit/testing'
import { connectRedis } from '../../redis'
import { createKeyBucket } from '../key-bucket'
import type { TokenAnswer } from '../token'
import { startFront } from './front'
import type { Decision } from './judge'

export type Replica = {
  takeToken(key: string): Promise<TokenAnswer>
  kind(): string
  stop(): Promise<void>
  front: Awaited<ReturnType<typeof startFront>>
}

/** Three replicas that share a database and a Redis and nothing else, their clocks minutes apart. */
export async function startReplicas(
  { databaseUrl, redisPort, limit, windowMs }: { databaseUrl: string; redisPort: number; limit: number; windowMs: number },
  offsetsMs = [-300_000, 0, 300_000],
): Promise<Replica[]> {
  const replicas = await Promise.all(
    offsetsMs.map(async offsetMs => {
      const front = await startFront(redisPort)
      const redis = connectRedis(front.url, testLog)
      const sql = connectPostgres({ url: databaseUrl, poolMax: 3, applicationName: 'replica' })
      const bucket = createKeyBucket({ redis, sql, log: testLog, limit, windowMs, now: () => performance.now() + offsetMs })
      const stop = async () => {
        await bucket.stop()
        redis.disconnect()
        await sql.end({ timeout: 1 })
        front.stop()
      }
      return { takeToken: bucket.takeToken, kind: bucket.kind, stop, front }
    }),
  )
  await until('all take from Redis', () => replicas.every(({ kind }) => kind() === 'redis'), 30_000)
  return replicas
}

/** Asks for one token, and keeps what came of it. */
export async function arrive(replicas: Replica[], replica: number, key: string, into: Decision[]): Promise<TokenAnswer | undefined> {
  const sentMs = performance.now()
  const well = () => replicas.every(({ kind }) => kind() === 'redis')
  const wellBefore = well()
  const answer = await replicas[replica]?.takeToken(key).catch(error => {
    if (!(error instanceof Failure)) throw error
    return undefined
  })
  into.push({
    key,
    replica,
    sentMs,
    atMs: performance.now(),
    came: answer ? (answer.taken ? 'taken' : 'refused') : 'undecided',
    well: wellBefore && well(),
  })
  return answer
}

export type Obedience = { kept: number; broken: number; brokenByAFault: number }

/** A client that asks until it is refused, then waits as long as it was told and asks again: that one has to be let through. */
export async function obey(
  replicas: Replica[],
  { key, random, running, everyMs }: { key: string; random(): number; running(): boolean; everyMs: number },
  into: Decision[],
  faults: number[],
): Promise<Obedience> {
  const sum: Obedience = { kept: 0, broken: 0, brokenByAFault: 0 }
  const ask = () => arrive(replicas, Math.floor(random() * replicas.length), key, into)
  while (running()) {
    const answer = await ask()
    if (answer && !answer.taken) {
      const toldAtMs = performance.now()
      const untilMs = toldAtMs + Math.ceil(answer.waitMs)
      while (running() && performance.now() < untilMs) await pause(Math.max(1, Math.min(200, untilMs - performance.now())))
      if (!running()) break
      const again = await ask()
      const fault = faults.some(at => at > toldAtMs - 5_000 && at < performance.now())
      if (again?.taken) sum.kept += 1
      else if (!again || fault) sum.brokenByAFault += 1
      else sum.broken += 1
    }
    await pause(everyMs * 2 * random())
  }
  return sum
}
