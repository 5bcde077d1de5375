import type { DeadLetter } from '@filmgate/proto/operator/bus'
import type { KafkaMessage } from 'kafkajs'
import { firstSetAside, headerText, type Outgoing, replayCount, replayedFor } from '../message'

/** A message as it lies in its dead-letter topic. */
export type Letter = { topic: string; offset: number; message: KafkaMessage }

export const eventIdOf = ({ message }: Letter): string => headerText(message, 'event-id') ?? ''

/** The consumer group that set it aside; empty where the letter does not say. */
export const groupOf = ({ message }: Letter): string => headerText(message, 'dlq-group') ?? ''

const replaysOf = ({ message }: Letter): number => Number(headerText(message, replayCount) ?? 0)
const setAsideAt = ({ message }: Letter): string => new Date(Number(message.timestamp)).toISOString()
const firstSetAsideAt = (letter: Letter): string => headerText(letter.message, firstSetAside) ?? setAsideAt(letter)

export const describe = (letter: Letter): DeadLetter => ({
  topic: letter.topic,
  offset: letter.message.offset,
  at: setAsideAt(letter),
  key: letter.message.key?.toString() ?? '',
  eventId: eventIdOf(letter),
  group: groupOf(letter),
  source: headerText(letter.message, 'dlq-source') ?? '',
  cause: headerText(letter.message, 'dlq-cause') ?? '',
  bytes: letter.message.value?.length ?? 0,
  cameBack: replaysOf(letter),
  firstAt: firstSetAsideAt(letter),
})

/** As it was before it was set aside, for the group that did so, with who has it sent back. Without a group it is for all. */
export function returned(letter: Letter, replayedBy: string | undefined): Outgoing {
  const group = groupOf(letter)
  return {
    topic: letter.topic.replace(/\.dlq$/, ''),
    key: letter.message.key?.toString() ?? '',
    value: letter.message.value,
    eventId: eventIdOf(letter),
    traceparent: headerText(letter.message, 'traceparent'),
    headers: {
      ...(group && { [replayedFor]: group }),
      ...(replayedBy && { 'replayed-by': replayedBy }),
      [replayCount]: String(replaysOf(letter) + 1),
      [firstSetAside]: firstSetAsideAt(letter),
    },
  }
}
