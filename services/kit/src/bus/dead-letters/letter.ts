import type { DeadLetter } from '@filmgate/proto/operator/bus'
import type { KafkaMessage } from 'kafkajs'
import { headerText, type Outgoing } from '../message'

/** A message as it lies in its dead-letter topic. */
export type Letter = { topic: string; offset: number; message: KafkaMessage }

export const eventIdOf = ({ message }: Letter): string => headerText(message, 'event-id') ?? ''

export const describe = ({ topic, message }: Letter): DeadLetter => ({
  topic,
  offset: message.offset,
  at: new Date(Number(message.timestamp)).toISOString(),
  key: message.key?.toString() ?? '',
  eventId: headerText(message, 'event-id') ?? '',
  group: headerText(message, 'dlq-group') ?? '',
  source: headerText(message, 'dlq-source') ?? '',
  cause: headerText(message, 'dlq-cause') ?? '',
  bytes: message.value?.length ?? 0,
})

/** As it was before it was set aside, with who has it sent back. */
export const returned = (letter: Letter, replayedBy: string | undefined): Outgoing => ({
  topic: letter.topic.replace(/\.dlq$/, ''),
  key: letter.message.key?.toString() ?? '',
  value: letter.message.value,
  eventId: eventIdOf(letter),
  traceparent: headerText(letter.message, 'traceparent'),
  ...(replayedBy && { headers: { 'replayed-by': replayedBy } }),
})
