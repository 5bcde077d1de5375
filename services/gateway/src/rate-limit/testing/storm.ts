import { pause } from '@filmgate/kit/deadline'
import type { TokenAnswer } from '@filmgate/kit/request/local-bucket'
import { testLog } from '@filmgate/kit/testing'
import { createAskRedis } from '../../redis/ask-redis'
import { connectRedis } from '../../redis/connect-redis'
import { createKeyBucket } from '../key-bucket'

/** A request of the storm: when it was sent and answered, by which replica, and whether it was admitted. */
export type Decision = { replica: number; sentMs: number; atMs: number; taken: boolean }

const stormEveryMs = 5

/** The limiters of several gateways, each with a connection of its own. */
export function startReplicas(url: string, { limit, replicas, windowMs }: { limit: number; replicas: number; windowMs: number }) {
  const connections = Array.from({ length: replicas }, () => connectRedis(url, testLog))
  const buckets = connections.map(redis =>
    createKeyBucket({ redis, askRedis: createAskRedis(), log: testLog, limit, replicasMax: replicas, windowMs }),
  )
  const take = async (replica: number, key: string): Promise<TokenAnswer> => {
    const takeToken = buckets[replica]
    if (!takeToken) throw new Error(`there is no replica ${replica}`)
    return takeToken(key)
  }
  return {
    take,
    connections,
    /** Whether every replica takes tokens from Redis: a new key has the whole limit there, and less on a share. */
    async allOnRedis(): Promise<boolean> {
      const lefts = await Promise.all(buckets.map(async takeToken => (await takeToken(crypto.randomUUID())).left))
      return lefts.every(left => left === limit - 1)
    },
    stop() {
      for (const redis of connections) redis.disconnect()
    },
  }
}
export type Replicas = ReturnType<typeof startReplicas>

/** More requests of one key than its limit, at every replica without a pause. */
export function startStorm({ take, connections }: Replicas, key: string) {
  const decisions: Decision[] = []
  let running = true
  const storms = connections.map(async (_, replica) => {
    while (running) {
      const sentMs = performance.now()
      const { taken } = await take(replica, key)
      decisions.push({ replica, sentMs, atMs: performance.now(), taken })
      await pause(stormEveryMs)
    }
  })
  return {
    decisions,
    async stop() {
      running = false
      await Promise.all(storms)
    },
  }
}

/** The most that any window admits. A decision falls at any moment of its request: what is surely within counts. */
export function mostInOneWindow(decisions: Decision[], windowMs: number): number {
  const taken = decisions.filter(each => each.taken)
  return Math.max(0, ...taken.map(({ sentMs }) => taken.filter(other => other.sentMs >= sentMs && other.atMs < sentMs + windowMs).length))
}

/** How many were refused although the window before them, at its widest, had admitted fewer than the limit. */
export function refusedTooSoon(decisions: Decision[], { limit, windowMs }: { limit: number; windowMs: number }): number {
  const taken = decisions.filter(each => each.taken)
  const admittedBefore = ({ sentMs, atMs }: Decision) => taken.filter(each => each.sentMs < atMs && each.atMs > sentMs - windowMs).length
  return decisions.filter(each => !each.taken && admittedBefore(each) < limit).length
}
