import { type Admin, type Consumer, type Kafka, KafkaJSError } from 'kafkajs'
import { pause } from '../../deadline'
import type { KafkaAccess } from '../open-kafka'
import { eventIdOf, groupOf, type Letter } from './letter'
import { isReplayed, type Replayed, readRanges } from './replayed'
import { createWatchdog } from './watchdog'

export type DeadLetterOptions = KafkaAccess & {
  /** The dead-letter topics to look at: `<topic>.dlq`. */
  topics: string[]
  /** Letters beyond it are left alone. */
  limit?: number
  /** Only the letters of this event. */
  eventId?: string
  /** Only the letters that this consumer group set aside. */
  group?: string
  /** Ends it after what is under way. */
  signal?: AbortSignal
}

/** What waits in a topic: from `low` to before `end`, without what has been replayed. */
export type Waiting = { low: number; end: number; replayed: Replayed }

/**
 * The offset that this group has committed is how far a dead-letter topic has been replayed or discarded; what was so beyond stands beside it. A
 * group of its own for each topic: members of one group share out all its topics among them, whichever each of them reads.
 */
export const replayGroupOf = (topic: string): string => `${topic}.replayed`
const silenceTimeoutMs = 30_000
/** Who was killed holds the letters for so long, which whoever comes next has to wait: well below the silence that ends it. */
const sessionTimeoutMs = 10_000
const coordinatorTimeoutMs = 10_000
// Dead-letter topics have one partition, so that letters go back in the order in which they came.
export const partition = 0

/** By topic, those that hold anything not replayed. */
export async function findWaiting(admin: Admin, topics: string[]): Promise<Map<string, Waiting>> {
  const found = await Promise.all(topics.map(async topic => [topic, await findLetters(admin, topic)] as const))
  return new Map(found.filter(([, { replayed, end }]) => replayed.next < end))
}

async function findLetters(admin: Admin, topic: string): Promise<Waiting> {
  const [[committed], [offsets]] = await Promise.all([
    oncePassing(() => admin.fetchOffsets({ groupId: replayGroupOf(topic), topics: [topic] })),
    admin.fetchTopicOffsets(topic),
  ])
  const mark = committed?.partitions[partition]
  const [low, end] = [Number(offsets?.low ?? 0), Number(offsets?.high ?? 0)]
  return { low, end, replayed: { next: Math.max(low, Number(mark?.offset ?? -1)), ranges: readRanges(mark?.metadata ?? '') } }
}

/** kafkajs gives up at once while a broker is still finding the group's coordinator, as one that has just started is. */
async function oncePassing<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + coordinatorTimeoutMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof KafkaJSError && error.retriable) || performance.now() > deadline) throw error
      await pause(100)
    }
  }
}

/** Told to go on by true. `alive` is the sign of life which it owes that works long on what it was handed. */
export type UseLetters = (letters: Letter[], consumer: Consumer, alive: () => Promise<void>) => Promise<boolean>

/**
 * Hands over what waits, a fetch at a time and topic by topic in order, until all is read, `use` says false or the signal comes. While it
 * runs, its group holds the partitions: a second one in the same group waits for them, and gives up after half a minute without any.
 */
export async function readLetters(
  kafka: Kafka,
  groupId: string,
  waiting: Map<string, Waiting>,
  { eventId, group, signal }: Pick<DeadLetterOptions, 'eventId' | 'group' | 'signal'>,
  use: UseLetters,
): Promise<void> {
  if (waiting.size === 0) return
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 200,
    maxBytesPerPartition: 8 * 1_048_576,
  })
  const unread = new Set(waiting.keys())
  const watchdog = createWatchdog(silenceTimeoutMs, 'reading the dead letters', signal)
  consumer.on(consumer.events.CRASH, ({ payload }) => watchdog.end(payload.error))
  await consumer.connect()
  try {
    await consumer.subscribe({ topics: [...waiting.keys()], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: async ({ batch, heartbeat, isStale }) => {
        const found = waiting.get(batch.topic)
        if (!found || !unread.has(batch.topic) || isStale() || watchdog.ended()) return
        const alive = async () => {
          watchdog.alive()
          await heartbeat()
        }
        await alive()
        const letters = batch.messages
          .map((message): Letter => ({ topic: batch.topic, offset: Number(message.offset), message }))
          .filter(({ offset }) => offset < found.end && !isReplayed(found.replayed, offset))
          .filter(letter => eventId === undefined || eventIdOf(letter) === eventId)
          .filter(letter => group === undefined || groupOf(letter) === group)
        try {
          if (letters.length > 0 && !(await use(letters, consumer, alive))) return watchdog.end()
        } catch (error) {
          return watchdog.end(error)
        }
        if (Number(batch.lastOffset()) >= found.end - 1) unread.delete(batch.topic)
        if (unread.size === 0) watchdog.end()
      },
    })
    for (const [topic, { replayed }] of waiting) consumer.seek({ topic, partition, offset: String(replayed.next) })
    await watchdog.finished
  } finally {
    watchdog.end()
    await consumer.disconnect()
  }
}
