import { openSpan } from '../../telemetry/trace'
import type { Incoming } from '../message'

/** Each sampled message gets a span of its own around the batch, and what it causes belongs to that span. */
export async function inSpans<T>(group: string, read: { message: Incoming<T> }[], work: () => Promise<void>): Promise<void> {
  const spans = read.flatMap(({ message }) => {
    const attributes = { 'messaging.system': 'kafka', 'messaging.destination.name': message.topic, 'messaging.consumer.group.name': group }
    const span = openSpan(`process ${message.topic}`, { kind: 'consumer', parent: message.traceparent, attributes })
    if (span) message.traceparent = span.traceparent
    return span ? [span] : []
  })
  try {
    await work()
    for (const span of spans) span.end()
  } catch (error) {
    for (const span of spans) span.end(error)
    throw error
  }
}
