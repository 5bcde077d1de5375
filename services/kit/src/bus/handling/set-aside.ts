import type { KafkaMessage } from 'kafkajs'
import { backoffMs, pause } from '../../deadline'
import type { Log } from '../../telemetry/log'
import { counter, late } from '../../telemetry/metrics'
import { firstSetAside, headerText, type Outgoing, replayCount } from '../message'
import type { Subscription } from '../subscription'
import type { Received } from './received'

export type Publish = (messages: Outgoing[]) => Promise<void>

const counted = counter('bus_messages_set_aside', 'Messages that went to a dead-letter topic', {
  group: late,
  topic: late,
  came_back: [false, true],
})
const causeCharactersMax = 500

/** Sends a message to its dead-letter topic with its cause, again and again while the broker does not take it. */
export function createSetAside<T>({ group, topics }: Subscription<T>, publish: Publish, log: Log, stop: AbortSignal) {
  counted.declare({ group: [group], topic: Object.keys(topics) })
  return async function setAside({ topic, partition, message }: Received, error: unknown): Promise<void> {
    log.error({ err: error, group, topic, partition, offset: message.offset }, 'message moved to the dead-letter topic')
    const letter: Outgoing = {
      topic: `${topic}.dlq`,
      key: message.key?.toString() ?? '',
      value: message.value,
      eventId: headerText(message, 'event-id') ?? '',
      traceparent: headerText(message, 'traceparent'),
      headers: {
        'dlq-group': group,
        'dlq-source': `${topic}/${partition}/${message.offset}`,
        'dlq-cause': String(error).slice(0, causeCharactersMax),
        ...kept(message),
      },
    }
    for (let tries = 1; ; tries++) {
      try {
        await publish([letter])
        return counted.add(1, { group, topic, came_back: headerText(message, replayCount) !== undefined })
      } catch (error) {
        if (stop.aborted) throw error
        log.warn({ err: error, group, topic, tries }, 'dead letter not published, retrying')
        await pause(backoffMs(tries, 200, 5_000), stop)
      }
    }
  }
}

/** Of a message that was replayed and comes back. */
const kept = (message: KafkaMessage): Record<string, string> =>
  Object.fromEntries(
    [replayCount, firstSetAside].flatMap(name => {
      const text = headerText(message, name)
      return text === undefined ? [] : [[name, text]]
    }),
  )
