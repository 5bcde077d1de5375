import type { EachBatchPayload, Kafka } from 'kafkajs'
import { backoffMs, pause, withDeadline } from '../deadline'
import type { Log } from '../log'
import { gauge } from '../metrics'
import { createCommits } from './commits'
import { createGather } from './gather'
import { createHandler, type Publish, type Received } from './handle'
import type { Subscription } from './subscription'
import { watch } from './watch'

// The broker's least session timeout: a killed member's partitions are served again this long after.
const sessionTimeoutMs = 6_000
const heartbeatEveryMs = 1_000
const commitEveryMs = 250
const stalledAfterMs = 30_000
const disconnectTimeoutMs = 5_000

export type Consumer = {
  /** Whether partitions have been assigned (an assignment may be empty). */
  joined(): boolean
  stop(): Promise<void>
}

/** Highest offset not yet handled, a topic and partition. */
const lag = new Map<string, { value: number; attributes: { group: string; topic: string; partition: number } }>()
gauge('bus_consumer_lag', 'Messages of a partition not yet handled', () => [...lag.values()])

/** Consumes until stopped; a consumer that crashes or falls silent is replaced by a new one. */
export function startConsumer<T>(kafka: Kafka, publish: Publish, log: Log, subscription: Subscription<T>): Consumer {
  const stopping = new AbortController()
  const handle = createHandler(subscription, publish, log, stopping.signal)
  const gather = createGather<Received>(handle)
  let joined = false

  async function runOnce(): Promise<void> {
    const consumer = kafka.consumer({
      groupId: subscription.group,
      sessionTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatEveryMs,
      rebalanceTimeout: 10_000,
      maxWaitTimeInMs: 500,
      allowAutoTopicCreation: false,
      retry: { retries: 2, initialRetryTime: 100, restartOnFailure: async () => false },
    })
    const commits = createCommits(consumer, log)
    const running = new Set<Promise<void>>()

    async function eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
      const { topic, partition } = batch
      const last = batch.messages.at(-1)
      if (!last || !isRunning() || isStale()) return
      // Not resolved, so it would be fetched again at once: until the consumer has stopped.
      if (stopping.signal.aborted) return pause(heartbeatEveryMs)
      const attributes = { group: subscription.group, topic, partition }
      lag.set(`${topic}/${partition}`, { value: Number(batch.highWatermark) - Number(batch.firstOffset()), attributes })
      await keepAlive(gather.add(batch.messages.map(message => ({ topic, partition, message }))), heartbeat)
      resolveOffset(last.offset)
      commits.handled(topic, partition, last.offset)
      lag.set(`${topic}/${partition}`, { value: Number(batch.highWatermark) - Number(last.offset) - 1, attributes })
      // kafkajs fetches again once this has resolved.
      if (subscription.restMs) await pause(subscription.restMs, stopping.signal)
    }

    function eachBatchTracked(payload: EachBatchPayload): Promise<void> {
      const run = eachBatch(payload)
      const settled = run.catch(() => {}).finally(() => running.delete(settled))
      running.add(settled)
      return run
    }

    const watched = watch(consumer, { stalledAfterMs, stop: stopping.signal }, () => {
      joined = true
      commits.forget()
    })
    consumer.on(consumer.events.REBALANCING, () => commits.commit())
    const committing = setInterval(() => void commits.commit(), commitEveryMs)
    try {
      await withDeadline(consumer.connect(), disconnectTimeoutMs, 'connecting to the broker')
      await consumer.subscribe({ topics: Object.keys(subscription.topics), fromBeginning: true })
      await consumer.run({
        eachBatch: eachBatchTracked,
        autoCommit: false,
        partitionsConsumedConcurrently: 64,
        eachBatchAutoResolve: false,
      })
      throwIfBroken(await watched.ended)
      await Promise.all(running)
      await withDeadline(commits.commit(), disconnectTimeoutMs, 'committing')
    } finally {
      clearInterval(committing)
      watched.close()
      joined = false
      await withDeadline(consumer.disconnect(), disconnectTimeoutMs, 'disconnecting').catch(() => {})
    }
  }

  async function supervise(): Promise<void> {
    for (let tries = 1; !stopping.signal.aborted; tries++) {
      const startedAt = performance.now()
      try {
        await runOnce()
      } catch (error) {
        if (performance.now() - startedAt > stalledAfterMs) tries = 1
        log.warn({ err: error, group: subscription.group, tries }, 'consumer broke, starting again')
        await pause(backoffMs(tries, 200, 2_000), stopping.signal)
      }
    }
  }

  const supervised = supervise()
  return {
    joined: () => joined,
    async stop() {
      stopping.abort()
      await supervised
    },
  }
}

/** Waits for `work` while telling the broker that we live; ends early where the broker says that the group moves on. */
async function keepAlive(work: Promise<void>, heartbeat: () => Promise<void>): Promise<void> {
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const timer = setInterval(() => void heartbeat().catch(reject), heartbeatEveryMs)
  try {
    await Promise.race([work, broken])
  } finally {
    clearInterval(timer)
  }
}

function throwIfBroken(ending: unknown): void {
  if (ending instanceof Error) throw ending
}
