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

export const headerText = (message: KafkaMessage, name: string): string | undefined => message.headers?.[name]?.toString()
