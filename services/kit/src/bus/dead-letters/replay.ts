import type { DeadLetter, Replay } from '@filmgate/proto/operator/bus'
import type { Producer } from 'kafkajs'
import { toKafka } from '../message'
import { openKafka } from '../open-kafka'
import { isMessagesFault } from '../publishing/messages-fault'
import { describe, eventIdOf, groupOf, type Letter, returned } from './letter'
import { type RemovalOptions, removeLetters } from './remove-letters'

export type ReplayOptions = RemovalOptions & {
  /** Who has it done; each message carries the name for as long as its topic keeps it. */
  replayedBy?: string | undefined
}

/**
 * Sends the waiting letters back to the topics they came from, each for the group that set it aside, and an event once for a group. What
 * was sent and not remembered, because the process was killed in between, is sent again: all consumers are idempotent.
 */
export async function replayDeadLetters(options: ReplayOptions): Promise<Required<Replay>> {
  const refused: DeadLetter[] = []
  const sentOnce = new Set<string>()
  let replayed = 0
  let copies = 0
  const producer = openKafka(options, { clientId: 'dead-letters', retry: { retries: 3 } }).producer({
    ...{ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false },
  })
  const sender: Sender = { producer, replayedBy: options.replayedBy, onRefused: letter => void refused.push(describe(letter)) }
  await producer.connect()
  try {
    await removeLetters(options, async portion => {
      const sent = await send(sender, firstOfEach(portion, sentOnce))
      for (const letter of sent) sentOnce.add(eventAndGroup(letter))
      const removed = portion.filter(letter => sentOnce.has(eventAndGroup(letter)))
      replayed += sent.length
      copies += removed.length - sent.length
      return removed
    })
  } finally {
    await producer.disconnect()
  }
  return { replayed, copies, refused }
}

/** What is handled once. A letter without an event is like no other. */
const eventAndGroup = (letter: Letter): string => `${letter.topic} ${eventIdOf(letter) || letter.offset} ${groupOf(letter)}`

/** The first letter of each event and group, without those that were sent. */
const firstOfEach = (letters: Letter[], sent: Set<string>): Letter[] =>
  [...Map.groupBy(letters, eventAndGroup)].flatMap(([key, [first]]) => (first && !sent.has(key) ? [first] : []))

type Sender = { producer: Producer; replayedBy: string | undefined; onRefused(letter: Letter): void }

/** Together or, where the broker refuses one of them, one by one; returns those it has. */
async function send(sender: Sender, letters: Letter[]): Promise<Letter[]> {
  const [only, another] = letters
  if (!only) return []
  const messages = letters.map(letter => returned(letter, sender.replayedBy))
  try {
    await sender.producer.send({ topic: messages[0]?.topic ?? '', acks: -1, messages: messages.map(toKafka) })
    return letters
  } catch (error) {
    if (!isMessagesFault(error)) throw error
  }
  if (!another) {
    sender.onRefused(only)
    return []
  }
  const sent: Letter[] = []
  for (const letter of letters) sent.push(...(await send(sender, [letter])))
  return sent
}
