import type { DeadLetter, Replay } from '@filmgate/proto/operator/bus'
import type { Admin, Consumer, Kafka, Producer } from 'kafkajs'
import { toKafka } from '../message'
import { isMessagesFault } from '../publishing/messages-fault'
import { describe, type Letter, returned } from './letter'
import {
  type DeadLetterOptions,
  findWaiting,
  partition,
  readLetters,
  replayGroupOf,
  type UseLetters,
  type Waiting,
  withKafka,
} from './read-letters'
import { withReplayed, writeRanges } from './replayed'

export type ReplayOptions = DeadLetterOptions & {
  /** Who has it done; each message carries the name for as long as its topic keeps it. */
  replayedBy?: string | undefined
  /** Called after each portion with what has been replayed until then. */
  onProgress?(replayed: number): void
}

/** Well below the broker's message.max.bytes (1 MiB), which bounds a partition's share of one request. */
const portionBytesMax = 512 * 1_024
const portionLettersMax = 500

/**
 * Sends the waiting letters back to the topics they came from, a portion at a time, and remembers each portion before the next. One that
 * was sent and not remembered, because the process was killed in between, is sent again: all consumers are idempotent.
 */
export const replayDeadLetters = (options: ReplayOptions): Promise<Replay> =>
  withKafka(options, async (kafka, admin) => {
    const waiting = await findWaiting(admin, options.topics)
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false })
    await producer.connect()
    try {
      return await replayAll(kafka, producer, waiting, options)
    } finally {
      await producer.disconnect()
      await forget(admin, waiting)
    }
  })

async function replayAll(kafka: Kafka, producer: Producer, waiting: Map<string, Waiting>, options: ReplayOptions): Promise<Replay> {
  const { limit = Number.POSITIVE_INFINITY, signal, replayedBy, onProgress = () => {} } = options
  const sender = { producer, replayedBy }
  const refused: DeadLetter[] = []
  let replayed = 0
  const use: UseLetters = async (letters, consumer, alive) => {
    for (const portion of portions(letters.slice(0, limit - replayed))) {
      if (signal?.aborted) return false
      const sent = await send(sender, portion, letter => void refused.push(describe(letter)))
      await remember(consumer, waiting, sent)
      replayed += sent.length
      onProgress(replayed)
      await alive()
    }
    return replayed < limit
  }
  for (const [topic, found] of waiting) {
    if (signal?.aborted || replayed >= limit) break
    await readLetters(kafka, replayGroupOf(topic), new Map([[topic, found]]), options, use)
  }
  return { replayed, refused }
}

/** In their order, cut so that each portion fits into one request. */
function* portions(letters: Letter[]): Generator<Letter[]> {
  let portion: Letter[] = []
  let bytes = 0
  for (const letter of letters) {
    const size = letter.message.value?.length ?? 0
    if (portion.length > 0 && (bytes + size > portionBytesMax || portion.length === portionLettersMax)) {
      yield portion
      portion = []
      bytes = 0
    }
    portion.push(letter)
    bytes += size
  }
  if (portion.length > 0) yield portion
}

type Sender = { producer: Producer; replayedBy: string | undefined }

/** Together or, where the broker refuses one of them, one by one; returns those it has. */
async function send(sender: Sender, portion: Letter[], onRefused: (letter: Letter) => void): Promise<Letter[]> {
  const messages = portion.map(letter => returned(letter, sender.replayedBy))
  const topic = messages[0]?.topic ?? ''
  try {
    await sender.producer.send({ topic, acks: -1, messages: messages.map(toKafka) })
    return portion
  } catch (error) {
    if (!isMessagesFault(error)) throw error
  }
  const [only, another] = portion
  if (only && !another) {
    onRefused(only)
    return []
  }
  const sent: Letter[] = []
  for (const letter of portion) sent.push(...(await send(sender, [letter], onRefused)))
  return sent
}

async function remember(consumer: Consumer, waiting: Map<string, Waiting>, sent: Letter[]): Promise<void> {
  const topic = sent[0]?.topic ?? ''
  const found = waiting.get(topic)
  if (!found) return
  found.replayed = withReplayed(
    found.replayed,
    sent.map(({ offset }) => offset),
  )
  const { next } = found.replayed
  await consumer.commitOffsets([{ topic, partition, offset: String(next), metadata: writeRanges(found.replayed) }])
}

/** A group nobody is in loses its offsets after a week; the letters themselves would stay for a month and look as if they waited. */
async function forget(admin: Admin, waiting: Map<string, Waiting>): Promise<void> {
  for (const [topic, { low, replayed }] of waiting) {
    if (replayed.next <= low) continue
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(replayed.next) }] }).catch(() => undefined)
  }
}
