import { pause } from '@filmgate/kit/deadline'
import { type OwnRedis, startRedis } from './own-redis'
import type { Replica } from './replica'

/** A Redis that replicas reach through their fronts, and what may become of it. */
export function createFaults(program: string, first: OwnRedis, replicas: Replica[]) {
  let redis = first
  const all = (port: number | undefined) => {
    for (const { front } of replicas) front(port)
  }

  const faults = {
    async 'restarted empty'() {
      await redis.kill()
      redis = await startRedis(program, { port: redis.port })
    },
    async 'killed and started later'() {
      await redis.kill()
      await pause(1_500)
      redis = await startRedis(program, { port: redis.port })
    },
    async stalled() {
      process.kill(redis.pid, 'SIGSTOP')
      await pause(1_200)
      process.kill(redis.pid, 'SIGCONT')
    },
    async 'stalled for a moment'() {
      process.kill(redis.pid, 'SIGSTOP')
      await pause(250)
      process.kill(redis.pid, 'SIGCONT')
    },
    /** The replica lags: what was written last is lost. */
    async 'failed over'() {
      const promoted = await startRedis(program, { of: redis })
      process.kill(promoted.pid, 'SIGSTOP')
      await pause(600)
      await redis.kill()
      process.kill(promoted.pid, 'SIGCONT')
      await promoted.say('REPLICAOF', 'NO', 'ONE')
      all(promoted.port)
      redis = promoted
    },
    async emptied() {
      await redis.say('FLUSHALL')
    },
    async 'out of one replica’s reach'() {
      replicas[0]?.front(undefined)
      await pause(1_200)
      replicas[0]?.front(redis.port)
    },
  }
  return { faults, stop: () => redis.kill() }
}
export type FaultName = keyof ReturnType<typeof createFaults>['faults']
