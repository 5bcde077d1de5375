import type { KafkaMessage } from 'kafkajs'

/** A message to publish. `eventId` names the fact for ever; `traceparent` is the trace it belongs to. */
export type Outgoing = {
  topic: string
  key: string
  value: Uint8Array | null
  eventId?: string
  traceparent?: string | undefined
  headers?: Record<string, string>
}

/** A message received, decoded. At-least-once: the same `eventId` may come again. */
export type Incoming<T> = {
  topic: string
  partition: number
  offset: string
  key: string
  event: T
  eventId: string
  traceparent: string | undefined
  timestampMs: number
}

export const toKafka = ({ key, value, eventId, traceparent, headers }: Outgoing) => ({
  key,
  value: value && Buffer.from(value.buffer, value.byteOffset, value.byteLength),
  headers: { 'event-id': eventId ?? '', ...(traceparent && { traceparent }), ...headers },
})

/** The header of a replayed message that names the one group it is for; the other groups skip it. */
export const replayedFor = 'replayed-for'

/** How often a message was replayed and when it was first set aside. A message that comes back hands both on to its letter. */
export const replayCount = 'dlq-replays'
export const firstSetAside = 'dlq-first-at'

export const headerText = (message: KafkaMessage, name: string): string | undefined => message.headers?.[name]?.toString()
