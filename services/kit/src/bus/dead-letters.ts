import { randomUUID } from 'node:crypto'
import { type Admin, type Consumer, Kafka, KafkaJSError, type KafkaMessage, logLevel } from 'kafkajs'
import { pause, withDeadline } from '../deadline'
import { headerText, toKafka } from './message'

export type DeadLetter = {
  topic: string
  offset: string
  at: string
  key: string
  eventId: string
  group: string
  source: string
  cause: string
}

export type DeadLetterOptions = {
  brokers: string[]
  /** The dead-letter topics to look at: `<topic>.dlq`. */
  topics: string[]
}

type Letter = { topic: string; message: KafkaMessage }
type Ranges = Map<string, { next: number; end: number }>

/** This group's committed offset is how far a dead-letter topic has been replayed. */
export const replayGroup = 'dead-letters-replayed'
const readTimeoutMs = 30_000
const coordinatorTimeoutMs = 10_000
// Dead-letter topics have one partition, so that letters go back in the order in which they came.
const partition = 0

/** The letters that wait to be replayed, oldest first a topic. */
export const listDeadLetters = (options: DeadLetterOptions): Promise<DeadLetter[]> =>
  withKafka(options, async (kafka, admin) => {
    const ranges = await waiting(admin, options.topics)
    const group = `dead-letters-${randomUUID()}`
    const letters = await readRanges(kafka, group, ranges)
    await admin.deleteGroups([group]).catch(() => undefined)
    return letters.map(describe)
  })

/** Sends the waiting letters back to the topics they came from and remembers that it did. Every consumer sees them again, so all must be idempotent. */
export const replayDeadLetters = (options: DeadLetterOptions): Promise<DeadLetter[]> =>
  withKafka(options, async (kafka, admin) => {
    const ranges = await waiting(admin, options.topics)
    const letters = await readRanges(kafka, replayGroup, ranges, async (read, consumer) => {
      await sendBack(kafka, read)
      const replayed = [...ranges].map(([topic, { end }]) => ({ topic, partition, offset: String(end) }))
      await consumer.commitOffsets(replayed)
    })
    return letters.map(describe)
  })

async function sendBack(kafka: Kafka, letters: Letter[]): Promise<void> {
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false })
  await producer.connect()
  try {
    for (const [topic, ofTopic] of Map.groupBy(letters, letter => letter.topic)) {
      await producer.send({ topic: topic.replace(/\.dlq$/, ''), acks: -1, messages: ofTopic.map(({ message }) => returned(message)) })
    }
  } finally {
    await producer.disconnect()
  }
}

async function withKafka<T>({ brokers }: DeadLetterOptions, use: (kafka: Kafka, admin: Admin) => Promise<T>): Promise<T> {
  const kafka = new Kafka({ clientId: 'dead-letters', brokers, logLevel: logLevel.NOTHING, retry: { retries: 3 } })
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await use(kafka, admin)
  } finally {
    await admin.disconnect()
  }
}

/** What lies between the last replay and the end now, a topic that has any. */
async function waiting(admin: Admin, topics: string[]): Promise<Ranges> {
  const committed = await oncePassing(() => admin.fetchOffsets({ groupId: replayGroup, topics }))
  const ranges: Ranges = new Map()
  for (const topic of topics) {
    const [found] = await admin.fetchTopicOffsets(topic)
    const replayed = Number(committed.find(row => row.topic === topic)?.partitions[partition]?.offset ?? -1)
    const next = Math.max(replayed, Number(found?.low ?? 0))
    const end = Number(found?.high ?? 0)
    if (next < end) ranges.set(topic, { next, end })
  }
  return ranges
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

/** Reads the ranges to their end; `use` runs while the group still holds the partitions, so that only one replays at a time. */
async function readRanges(
  kafka: Kafka,
  groupId: string,
  ranges: Ranges,
  use: (letters: Letter[], consumer: Consumer) => Promise<void> = async () => undefined,
): Promise<Letter[]> {
  const letters: Letter[] = []
  if (ranges.size === 0) return letters
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 })
  const unread = new Set(ranges.keys())
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  await consumer.connect()
  try {
    await consumer.subscribe({ topics: [...ranges.keys()], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ topic, message }) => {
        const range = ranges.get(topic)
        const offset = Number(message.offset)
        if (!range || offset < range.next || offset >= range.end) return
        letters.push({ topic, message })
        if (offset === range.end - 1) unread.delete(topic)
        if (unread.size === 0) finish()
      },
    })
    await withDeadline(finished, readTimeoutMs, 'reading the dead letters')
    await use(letters, consumer)
  } finally {
    await consumer.disconnect()
  }
  return letters
}

/** As it was before it was set aside. */
function returned(message: KafkaMessage) {
  const traceparent = headerText(message, 'traceparent')
  return toKafka({
    topic: '',
    key: message.key?.toString() ?? '',
    value: message.value,
    eventId: headerText(message, 'event-id') ?? '',
    traceparent,
  })
}

const describe = ({ topic, message }: Letter): DeadLetter => ({
  topic,
  offset: message.offset,
  at: new Date(Number(message.timestamp)).toISOString(),
  key: message.key?.toString() ?? '',
  eventId: headerText(message, 'event-id') ?? '',
  group: headerText(message, 'dlq-group') ?? '',
  source: headerText(message, 'dlq-source') ?? '',
  cause: headerText(message, 'dlq-cause') ?? '',
})
