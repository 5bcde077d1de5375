import { KafkaJSProtocolError } from 'kafkajs'

/** True where the broker refuses what it was given and is well itself: a message too large, a topic that is not there. */
export function isMessagesFault(error: unknown): boolean {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return root instanceof KafkaJSProtocolError && (!root.retriable || root.type === 'UNKNOWN_TOPIC_OR_PARTITION')
}
