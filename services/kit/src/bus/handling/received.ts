import type { KafkaMessage } from 'kafkajs'
import { headerText, type Incoming, replayedFor } from '../message'
import type { Subscription } from '../subscription'
import { UnprocessableMessage } from '../unprocessable-message'

export type Received = { topic: string; partition: number; message: KafkaMessage }

/** False for a message that was replayed for another group. */
export const isForGroup = ({ message }: Received, group: string): boolean => (headerText(message, replayedFor) ?? group) === group

/** Throws where it can't be read. */
export function readMessage<T>({ topics }: Subscription<T>, { topic, partition, message }: Received): Incoming<T> {
  const read = topics[topic]
  if (!read || !message.value) throw new UnprocessableMessage('empty message')
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
