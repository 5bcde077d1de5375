import { connectPostgres } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { testLog } from '@filmgate/kit/testing'
import { connectRedis } from '../../redis/connect-redis'
import { createKeyBucket } from '../key-bucket'
import { nowMs } from './clock'
import { startFront } from './front'
import type { Command, ReplicaStart, Report } from './replica'
import { watchBusy } from './watch-busy'

/** The limiter of one gateway as a process of its own: started and spoken to by `startReplicas`. */
const { databaseUrl, redisPort, limit, windowMs, offsetMs } = JSON.parse(process.argv[2] ?? '{}') as ReplicaStart
const kindEveryMs = 5

const front = await startFront(redisPort)
const redis = connectRedis(front.url, testLog)
const sql = connectPostgres({ url: databaseUrl, poolMax: 3, applicationName: 'replica' })
const bucket = createKeyBucket({ redis, sql, log: testLog, limit, windowMs, now: () => performance.now() + offsetMs })
const turns = watchBusy()
const report = (message: Report) => process.send?.(message)

let reported = ''
const reporting = setInterval(() => {
  const kind = bucket.kind()
  if (kind !== reported) report({ kind })
  reported = kind
}, kindEveryMs)

process.on('message', (message: Command) => {
  if ('key' in message) void take(message)
  else if ('front' in message) front.to(message.front ?? undefined)
  else void stop()
})
process.on('disconnect', () => process.exit(1))

async function take({ id, key }: { id: number; key: string }): Promise<void> {
  const sentMs = nowMs()
  const answer = await bucket.takeToken(key).catch(error => {
    if (!(error instanceof Failure)) throw error
    return undefined
  })
  report({ id, sentMs, atMs: nowMs(), answer })
}

async function stop(): Promise<void> {
  clearInterval(reporting)
  turns.stop()
  await bucket.stop()
  redis.disconnect()
  await sql.end({ timeout: 1 })
  front.stop()
  report({ busy: turns.busy })
  process.disconnect?.()
  process.exit(0)
}
