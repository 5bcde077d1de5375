import type { KafkaMessage } from 'kafkajs'
import { backoffMs, pause } from '../deadline'
import type { Log } from '../log'
import { counter, late } from '../metrics'
import { isTransient } from '../postgres'
import { openSpan } from '../trace'
import { headerText, type Incoming, type Outgoing } from './message'
import type { Subscription } from './subscription'

export type Received = { topic: string; partition: number; message: KafkaMessage }
export type Publish = (messages: Outgoing[]) => Promise<void>

type Read<T> = { received: Received; message: Incoming<T> }

const handled = counter('bus_messages_handled', 'Messages handled', { group: late })
const retried = counter('bus_batches_retried', 'Batches tried again after a passing failure', { group: late })
const setAside = counter('bus_messages_set_aside', 'Messages that went to a dead-letter topic', { group: late, topic: late })

/** A message that fails alone this often for no passing reason is set aside. */
const triesMax = 3

/**
 * Decodes and handles what was received and sorts failures: what passes is waited for; what does not is looked for in halves of the
 * batch until it is found alone, and set aside with its cause, so that one bad message never stops a partition.
 */
export function createHandler<T>(subscription: Subscription<T>, publish: Publish, log: Log, stop: AbortSignal) {
  const { group } = subscription
  handled.declare({ group: [group] })
  retried.declare({ group: [group] })
  setAside.declare({ group: [group], topic: Object.keys(subscription.topics) })

  async function handle(received: Received[]): Promise<void> {
    const read: Read<T>[] = []
    const unreadable: { one: Received; error: unknown }[] = []
    for (const one of received) {
      try {
        read.push({ received: one, message: readMessage(subscription, one) })
      } catch (error) {
        unreadable.push({ one, error })
      }
    }
    for (const { one, error } of unreadable) await toDeadLetters(one, error)
    if (read.length > 0) await inSpans(group, read, handleAll)
  }

  /** In order, whatever is set aside. */
  async function handleAll(read: Read<T>[]): Promise<void> {
    const unhandled = await untilItPasses(read)
    if (!unhandled) return void handled.add(read.length, { group })
    const [first] = read
    if (first && read.length === 1) return lastTries(first, unhandled.error)
    log.warn({ err: unhandled.error, group, messages: read.length }, 'batch failed, trying its halves')
    const half = read.length >> 1
    await handleAll(read.slice(0, half))
    await handleAll(read.slice(half))
  }

  /** Undefined once handled; the error where waiting would not help. */
  async function untilItPasses(read: Read<T>[]): Promise<{ error: unknown } | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        await subscription.handle(read.map(({ message }) => message))
        return undefined
      } catch (error) {
        if (stop.aborted) throw error
        if (!isTransient(error)) return { error }
        retried.add(1, { group })
        log.warn({ err: error, group, tries }, 'handling failed for now, trying again')
        await pause(backoffMs(tries, 100, 2_000), stop)
      }
    }
  }

  async function lastTries(one: Read<T>, firstError: unknown): Promise<void> {
    let error = firstError
    for (let tries = 1; tries < triesMax; tries++) {
      await pause(backoffMs(tries, 100, 2_000), stop)
      const unhandled = await untilItPasses([one])
      if (!unhandled) return void handled.add(1, { group })
      error = unhandled.error
    }
    await toDeadLetters(one.received, error)
  }

  async function toDeadLetters({ topic, partition, message }: Received, error: unknown): Promise<void> {
    log.error({ err: error, group, topic, partition, offset: message.offset }, 'message set aside')
    setAside.add(1, { group, topic })
    const letter: Outgoing = {
      topic: `${topic}.dlq`,
      key: message.key?.toString() ?? '',
      value: message.value,
      eventId: headerText(message, 'event-id') ?? '',
      traceparent: headerText(message, 'traceparent'),
      headers: { 'dlq-group': group, 'dlq-source': `${topic}/${partition}/${message.offset}`, 'dlq-cause': String(error).slice(0, 500) },
    }
    for (let tries = 1; ; tries++) {
      try {
        return await publish([letter])
      } catch (error) {
        if (stop.aborted) throw error
        await pause(backoffMs(tries, 200, 5_000), stop)
      }
    }
  }

  return handle
}

function readMessage<T>({ topics }: Subscription<T>, { topic, partition, message }: Received): Incoming<T> {
  const read = topics[topic]
  if (!read || !message.value) throw new Error('empty message')
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    event: read(message.value),
    eventId: headerText(message, 'event-id') ?? '',
    traceparent: headerText(message, 'traceparent'),
    timestampMs: Number(message.timestamp),
  }
}

/** Each sampled message gets a span of its own around the batch, and what it causes belongs to that span. */
async function inSpans<T>(group: string, read: Read<T>[], work: (read: Read<T>[]) => Promise<void>): Promise<void> {
  const spans = read.flatMap(({ message }) => {
    const attributes = { 'messaging.system': 'kafka', 'messaging.destination.name': message.topic, 'messaging.consumer.group.name': group }
    const span = openSpan(`process ${message.topic}`, { kind: 'consumer', parent: message.traceparent, attributes })
    if (span) message.traceparent = span.traceparent
    return span ? [span] : []
  })
  try {
    await work(read)
    for (const span of spans) span.end()
  } catch (error) {
    for (const span of spans) span.end(error)
    throw error
  }
}
