import { pause } from '@filmgate/kit/deadline'
import { servers, testDatabase, until } from '@filmgate/kit/testing'
import { migrationsFolder } from '../../database/migrations-folder'
import { windowMs } from '../token'
import { nowMs } from './clock'
import { createFaults, type FaultName } from './faults'
import { type Decision, mostInOneWindow, refusedTooSoon, waitsMs } from './judge'
import { redisProgram, startRedis } from './own-redis'
import { startReplicas } from './replica'
import { arrive, obey } from './storm'

/**
 * `bun run-storm.ts ARRIVALS PER_SECOND`: that many arrivals at three replicas, with the limit and the minute of production, while each
 * fault of `createFaults` befalls their Redis. Prints the figures as one line of JSON.
 */
const limit = 30
const [arrivals = 1_000_000, perSecond = 3_000] = process.argv.slice(2).map(Number)
const [stormedKeys, obedientKeys] = [400, 60]
const tickMs = 5
/** Arrivals wait rather than make each other slow: what is measured is the limiter. */
const underWayMax = 200
const underWayMsMax = 100
/** The faults come between these fractions of the arrivals; before and after them Redis is well for longer than a minute. */
const [faultsFrom, faultsTo] = [0.35, 0.65]

const database = await testDatabase(migrationsFolder)
const program = await redisProgram(servers.redisUrl)
const first = await startRedis(program)
const replicas = await startReplicas({ databaseUrl: database.url, redisPort: first.port, limit, windowMs })
const redis = createFaults(program, first, replicas)
const decisions: Decision[] = []
const faultsAt: number[] = []
const faultsDone: string[] = []
const began = nowMs()
let running = true

const clients = Array.from({ length: obedientKeys }, (_, index) =>
  obey(replicas, { key: `obedient-${index}`, random: Math.random, running: () => running, everyMs: 300 }, decisions, faultsAt),
)
await Promise.all([storm(), disturb()])
running = false
const obedience = await Promise.all(clients)
const busy = await Promise.all(replicas.map(replica => replica.stop()))
await redis.stop()
await database.drop()

const waits = waitsMs(decisions, busy)
const waitAt = (quantile: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * quantile))] ?? 0
const count = (came: Decision['came']) => decisions.filter(decision => decision.came === came).length
const { judged, tooSoon } = refusedTooSoon(decisions, windowMs, limit)
const sum = (of: 'kept' | 'broken' | 'brokenByAFault') => obedience.reduce((all, each) => all + each[of], 0)
console.log(
  JSON.stringify({
    arrivals: decisions.length,
    seconds: (nowMs() - began) / 1_000,
    faults: faultsDone.join(', '),
    mostInOneWindow: mostInOneWindow(decisions, windowMs),
    taken: count('taken'),
    refused: count('refused'),
    undecided: count('undecided'),
    undecidedWhileWell: decisions.filter(({ came, sentMs }) => came === 'undecided' && !isDisturbed(sentMs)).length,
    refusalsJudged: judged,
    refusedWithFewer: tooSoon.length,
    retryAfterKept: sum('kept'),
    retryAfterBroken: sum('broken'),
    retryAfterAcrossAFault: sum('brokenByAFault'),
    waitMsP50: waitAt(0.5),
    waitMsP99: waitAt(0.99),
    waitMsP999: waitAt(0.999),
    waitMsMax: waitAt(1),
  }),
)
process.exit(0)

/** Between a fault's beginning and the moment when all replicas take from Redis again. */
function isDisturbed(atMs: number): boolean {
  for (let index = 0; index < faultsAt.length; index += 2) {
    const [from = 0, to = nowMs()] = faultsAt.slice(index, index + 2)
    // What was under way when it began.
    if (atMs > from - underWayMsMax && atMs < to) return true
  }
  return false
}

async function storm(): Promise<void> {
  const underWay = new Set<Promise<unknown>>()
  let sent = 0
  const one = (replica: number, key: string) => {
    const arrival = arrive(replicas, replica, key, decisions).finally(() => underWay.delete(arrival))
    underWay.add(arrival)
    sent++
  }
  while (sent < arrivals) {
    const due = Math.min(arrivals, Math.ceil(((nowMs() - began) / 1_000) * perSecond), sent + underWayMax - underWay.size)
    // One in a hundred is a burst of more than the limit through one replica.
    while (sent < due) {
      const [replica, key] = [Math.floor(Math.random() * replicas.length), `key-${Math.floor(Math.random() * stormedKeys)}`]
      const burst = Math.random() < 0.01 ? limit + 5 : 1
      for (let index = 0; index < burst && sent < arrivals; index++) one(replica, key)
    }
    await pause(tickMs)
  }
  await Promise.all(underWay)
}

async function disturb(): Promise<void> {
  const names = Object.keys(redis.faults) as FaultName[]
  const done = () => decisions.length / arrivals
  for (const [index, name] of names.entries()) {
    const at = faultsFrom + ((faultsTo - faultsFrom) * index) / names.length
    await until('the next fault', () => done() >= at, 3_600_000)
    faultsAt.push(nowMs())
    await redis.faults[name]()
    faultsDone.push(name)
    await until('Redis is taken from again', () => replicas.every(({ kind }) => kind() === 'redis'), 120_000)
    faultsAt.push(nowMs())
  }
}
