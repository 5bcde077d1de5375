import type { Batch, EachBatchPayload, Kafka } from 'kafkajs'
import { backoffMs, pause, withDeadline } from '../deadline'
import type { Log } from '../telemetry/log'
import { gauge } from '../telemetry/metrics'
import { createCommits } from './commits'
import { AbandonedError, createGather, type Gathered } from './gather'
import { createHandler } from './handling/handle'
import type { Received } from './handling/received'
import type { Publish } from './handling/set-aside'
import type { Subscription } from './subscription'
import { watch } from './watch'

// The broker's least session timeout: a killed member's partitions are served again this long after.
const sessionTimeoutMs = 6_000
const heartbeatEveryMs = 1_000
const commitEveryMs = 1_000
const stalledAfterMs = 30_000
const disconnectTimeoutMs = 5_000
const loggedAgainAfterMs = 60_000
/** Beyond this nothing more is fetched before what waits is handled. */
const lingeringMax = 1_000

export type Consumer = {
  /** Whether partitions have been assigned (an assignment may be empty). */
  joined(): boolean
  stop(): Promise<void>
}

/** Highest offset not yet handled, a topic and partition. */
const lag = new Map<string, { value: number; attributes: { group: string; topic: string; partition: number } }>()
gauge('bus_consumer_unhandled', 'Messages of a partition that this consumer knows of and has not handled', () => [...lag.values()])

function noteLag(group: string, { topic, partition, highWatermark }: Batch, next: number): void {
  lag.set(`${topic}/${partition}`, { value: Number(highWatermark) - next, attributes: { group, topic, partition } })
}

/** Consumes until stopped; a consumer that crashes or falls silent is replaced by a new one. */
export function startConsumer<T>(kafka: Kafka, publish: Publish, log: Log, subscription: Subscription<T>): Consumer {
  const stopping = new AbortController()
  const handle = createHandler(subscription, publish, log, stopping.signal)
  const gather = createGather<Received>(handle)
  let joined = false

  async function runOnce(): Promise<void> {
    const consumer = createMember(kafka, subscription.group)
    const commits = createCommits(consumer, log)
    const { track, settled } = createTracked()
    /** Waiting to be handled while the next messages of their partitions are fetched. */
    const waiting = new Set<Gathered>()

    async function eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
      const { topic, partition } = batch
      const last = batch.messages.at(-1)
      if (!last || !isRunning() || isStale()) return
      // Not resolved, so it would be fetched again at once: until the consumer has stopped.
      if (stopping.signal.aborted) return pause(heartbeatEveryMs)
      noteLag(subscription.group, batch, Number(batch.firstOffset()))
      const lingerMs = subscription.lingerMs?.[topic]
      const gathered = gather.add(
        batch.messages.map(message => ({ topic, partition, message })),
        lingerMs,
      )
      const assignment = commits.assignment()
      const handled = gathered.handled.then(() => {
        commits.handled(assignment, topic, partition, last.offset)
        noteLag(subscription.group, batch, Number(last.offset) + 1)
      })
      // Caught here too: where the group has moved on nobody waits for it, and an unhandled rejection would end the process.
      handled.catch(error => {
        // What was fetched after this may still be handled, and its offset would pass over this. What was abandoned comes again itself.
        if (!(error instanceof AbandonedError)) commits.forget()
      })
      if (await mayFetchOn(gathered, lingerMs, () => gather.size() > lingeringMax, heartbeat)) {
        waiting.add(gathered)
        void track(handled.finally(() => waiting.delete(gathered))).catch(() => {})
      } else await handled
      // From where kafkajs fetches on; what is committed are the offsets handled.
      resolveOffset(last.offset)
      // kafkajs fetches again once this has resolved.
      if (subscription.pollIntervalMs) await pause(subscription.pollIntervalMs, stopping.signal)
    }

    async function begin(): Promise<void> {
      await withDeadline(consumer.connect(), disconnectTimeoutMs, 'connecting to the broker')
      await consumer.subscribe({ topics: Object.keys(subscription.topics), fromBeginning: true })
      await consumer.run({ ...runOptions, eachBatch: payload => track(eachBatch(payload)) })
    }

    const watched = watch(consumer, { stalledAfterMs, stop: stopping.signal }, () => {
      joined = true
      commits.forget()
      // Fetched again from where the offsets stand, by whoever has the partition now.
      for (const gathered of waiting) gathered.abandon()
    })
    consumer.on(consumer.events.REBALANCING, () => commits.commit())
    const committing = setInterval(() => void commits.commit(), commitEveryMs)
    try {
      throwIfBroken(await watched.follow(begin))
      gather.flush()
      await settled()
      await withDeadline(commits.commit(), disconnectTimeoutMs, 'committing')
    } finally {
      clearInterval(committing)
      watched.close()
      joined = false
      for (const gathered of waiting) gathered.abandon()
      await withDeadline(consumer.disconnect(), disconnectTimeoutMs, 'disconnecting').catch(() => {})
    }
  }

  async function supervise(): Promise<void> {
    const isNews = createNews()
    for (let tries = 1; !stopping.signal.aborted; tries++) {
      const startedAt = performance.now()
      try {
        await runOnce()
      } catch (error) {
        if (performance.now() - startedAt > stalledAfterMs) tries = 1
        if (isNews(error)) log.warn({ err: error, group: subscription.group, tries }, 'consumer failed, restarting')
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

/** Offsets are committed by us, once their messages are handled. */
const runOptions = { autoCommit: false, partitionsConsumedConcurrently: 64, eachBatchAutoResolve: false }

const createMember = (kafka: Kafka, groupId: string) =>
  kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatEveryMs,
    rebalanceTimeout: 10_000,
    maxWaitTimeInMs: 500,
    allowAutoTopicCreation: false,
    retry: { retries: 2, initialRetryTime: 100, restartOnFailure: async () => false },
  })

/** What a stop waits for. Handling fails only where the process is stopping: then it is delivered again to whoever follows. */
function createTracked() {
  const running = new Set<Promise<void>>()
  return {
    track(work: Promise<void>): Promise<void> {
      const settled = work.catch(() => {}).finally(() => running.delete(settled))
      running.add(settled)
      return work
    },
    settled: () => Promise.all(running),
  }
}

/** Whether more of the partition is fetched before this is handled; false once it is. */
async function mayFetchOn(
  { handled, again, abandon }: Gathered,
  lingerMs: number | undefined,
  tooMany: () => boolean,
  heartbeat: () => Promise<void>,
): Promise<boolean> {
  if (lingerMs !== undefined && !tooMany()) return true
  try {
    // Put back, it is looked at together with what comes: messages to compare with.
    const putBack = await keepAlive(Promise.race([handled.then(() => false), again.then(() => true)]), heartbeat)
    if (putBack && !tooMany()) return true
    await keepAlive(handled, heartbeat)
    return false
  } catch (error) {
    abandon()
    throw error
  }
}

/** Waits for `work` while telling the broker that we live; ends early where the broker says that the group moves on. */
async function keepAlive<R>(work: Promise<R>, heartbeat: () => Promise<void>): Promise<R> {
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const timer = setInterval(() => void heartbeat().catch(reject), heartbeatEveryMs)
  try {
    return await Promise.race([work, broken])
  } finally {
    clearInterval(timer)
  }
}

/** Whether a fault is another than the one logged last, or was logged over a minute ago: a broker that is away for an hour is no thousand lines. */
function createNews(): (error: unknown) => boolean {
  let last: { words: string; atMs: number } | undefined
  return error => {
    const words = error instanceof Error ? error.message : String(error)
    if (last?.words === words && performance.now() - last.atMs < loggedAgainAfterMs) return false
    last = { words, atMs: performance.now() }
    return true
  }
}

function throwIfBroken(ending: unknown): void {
  if (ending instanceof Error) throw ending
}
