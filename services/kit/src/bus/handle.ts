import type { KafkaMessage } from 'kafkajs'
import { backoffMs, pause } from '../deadline'
import type { Log } from '../log'
import { counter } from '../metrics'
import { isTransient } from '../postgres'
import type { Subscription } from './consumer'
import { headerText, type Incoming, type Outgoing } from './message'

export type Received = { topic: string; partition: number; message: KafkaMessage }
export type Publish = (messages: Outgoing[]) => Promise<void>

const handled = counter('bus_messages_handled', 'Messages handled')
const retried = counter('bus_batches_retried', 'Batches tried again after a passing failure')
const setAside = counter('bus_messages_set_aside', 'Messages that went to a dead-letter topic')

/** A message that fails alone this often for no passing reason is set aside. */
const triesMax = 3

/**
 * Decodes, handles and, where that fails, sorts failures: what passes is waited for; what does not is found by handling the
 * messages one by one, and set aside with its cause, so that one bad message never stops a partition.
 */
export function createHandler<T>(subscription: Subscription<T>, publish: Publish, log: Log, stop: AbortSignal) {
  const { group } = subscription

  async function handle(received: Received[]): Promise<void> {
    const messages: Incoming<T>[] = []
    for (const one of received) {
      const message = await decoded(one)
      if (message) messages.push(message)
    }
    if (messages.length === 0) return
    const unhandled = await untilItPasses(messages)
    if (!unhandled) return void handled.add(messages.length, { group })
    log.warn({ err: unhandled.error, group, messages: messages.length }, 'batch failed, handling its messages one by one')
    const sources = new Map(received.map(one => [`${one.topic}/${one.partition}/${one.message.offset}`, one]))
    for (const message of messages) await alone(message, sources.get(`${message.topic}/${message.partition}/${message.offset}`))
  }

  async function decoded(one: Received): Promise<Incoming<T> | undefined> {
    const { topic, partition, message } = one
    try {
      const read = subscription.topics[topic]
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
    } catch (error) {
      await toDeadLetters(one, error)
      return undefined
    }
  }

  /** Undefined once handled; the error where waiting would not help. */
  async function untilItPasses(messages: Incoming<T>[]): Promise<{ error: unknown } | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        await subscription.handle(messages)
        return undefined
      } catch (error) {
        if (!isTransient(error)) return { error }
        if (stop.aborted) throw error
        retried.add(1, { group })
        log.warn({ err: error, group, tries }, 'handling failed for now, trying again')
        await pause(backoffMs(tries, 100, 2_000), stop)
      }
    }
  }

  async function alone(message: Incoming<T>, source: Received | undefined): Promise<void> {
    for (let tries = 1; ; tries++) {
      const unhandled = await untilItPasses([message])
      if (!unhandled) return void handled.add(1, { group })
      if (stop.aborted) throw unhandled.error
      if (tries >= triesMax) return source && toDeadLetters(source, unhandled.error)
      await pause(backoffMs(tries, 100, 2_000), stop)
    }
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
