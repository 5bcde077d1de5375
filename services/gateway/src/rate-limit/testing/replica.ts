import { resolve } from 'node:path'
import { until } from '@filmgate/kit/testing'
import type { TokenAnswer } from '../token'
import type { Busy } from './watch-busy'

export type ReplicaSettings = { databaseUrl: string; redisPort: number; limit: number; windowMs: number }
export type ReplicaStart = ReplicaSettings & { offsetMs: number }

/** What a replica is asked to do, and what it reports. */
export type Command = { id: number; key: string } | { front: number | null } | { stop: true }
export type Report = { id: number; sentMs: number; atMs: number; answer?: TokenAnswer } | { kind: string } | { busy: Busy[] }
export type Answered = { sentMs: number; atMs: number; answer?: TokenAnswer }

/** A process of its own with the limiter of one gateway. */
export type Replica = {
  takeToken(key: string): Promise<Answered>
  /** Where it took tokens from by its last report. */
  kind(): string
  /** The Redis that stands behind its address; none: it is out of reach. */
  front(port: number | undefined): void
  /** Ends it; returns when its event loop stood still. */
  stop(): Promise<Busy[]>
}

/** Three that share a database and a Redis and nothing else, their clocks minutes apart. */
export async function startReplicas(settings: ReplicaSettings, offsetsMs = [-300_000, 0, 300_000]): Promise<Replica[]> {
  const replicas = offsetsMs.map(offsetMs => startReplica({ ...settings, offsetMs }))
  await until('all take from Redis', () => replicas.every(({ kind }) => kind() === 'redis'), 30_000)
  return replicas
}

function startReplica(start: ReplicaStart): Replica {
  const asked = new Map<number, (answered: Answered) => void>()
  const stopped = Promise.withResolvers<Busy[]>()
  let asks = 0
  let kind = 'starting'
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, 'run-replica.ts'), JSON.stringify(start)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc(report: Report) {
      if ('kind' in report) kind = report.kind
      else if ('busy' in report) stopped.resolve(report.busy)
      else {
        asked.get(report.id)?.(report)
        asked.delete(report.id)
      }
    },
  })
  const tell = (command: Command) => child.send(command)
  let stopping: Promise<Busy[]> | undefined
  async function end(): Promise<Busy[]> {
    tell({ stop: true })
    const busy = await stopped.promise
    await child.exited
    return busy
  }
  return {
    takeToken(key) {
      const { promise, resolve } = Promise.withResolvers<Answered>()
      const id = asks++
      asked.set(id, resolve)
      tell({ id, key })
      return promise
    },
    kind: () => kind,
    front: port => void tell({ front: port ?? null }),
    stop: () => {
      stopping ??= end()
      return stopping
    },
  }
}
