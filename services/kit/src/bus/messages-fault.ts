import { KafkaJSProtocolError } from 'kafkajs'

/** What names a message or its topic; whatever else a broker answers is about the producer, the broker or its replicas, and passes. */
const ofMessages = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
  'POLICY_VIOLATION',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'INVALID_TOPIC_EXCEPTION',
  'TOPIC_AUTHORIZATION_FAILED',
])

/** True where the broker refuses what it was given and is well itself: a message too large, a topic that is not there. */
export function isMessagesFault(error: unknown): boolean {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return root instanceof KafkaJSProtocolError && ofMessages.has(root.type)
}
