import { KafkaJSProtocolError } from 'kafkajs'

/** What names a topic, so that no message of it is taken. */
const ofTopics = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_TOPIC_EXCEPTION', 'TOPIC_AUTHORIZATION_FAILED'])
/** What names a message or its topic; whatever else a broker answers is about the producer, the broker or its replicas, and passes. */
const ofMessages = new Set([
  ...ofTopics,
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
  'POLICY_VIOLATION',
])

/** True where the broker refuses what it was given and is well itself: a message too large, a topic that is not there. */
export const isMessagesFault = (error: unknown): boolean => ofMessages.has(answered(error))

/** True where it would refuse any message of the topic. */
export const isTopicsFault = (error: unknown): boolean => ofTopics.has(answered(error))

function answered(error: unknown): string {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return root instanceof KafkaJSProtocolError ? root.type : ''
}
