import { expect, test } from 'bun:test'
import { KafkaJSProtocolError } from 'kafkajs'
import { isMessagesFault, isTopicsFault } from './messages-fault'

/** As kafkajs throws it: what the broker answered is the cause. */
const refusal = (type: string, retriable: boolean) =>
  new Error('gave up', { cause: new KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 1, retriable })) })

test.each(['MESSAGE_TOO_LARGE', 'UNKNOWN_TOPIC_OR_PARTITION', 'TOPIC_AUTHORIZATION_FAILED'])('%s is about the message', type => {
  expect(isMessagesFault(refusal(type, type === 'UNKNOWN_TOPIC_OR_PARTITION'))).toBe(true)
})

test.each([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'INVALID_PRODUCER_EPOCH',
  'CLUSTER_AUTHORIZATION_FAILED',
  'SASL_AUTHENTICATION_FAILED',
  'UNKNOWN',
])('%s is not, though kafkajs would not try again', type => {
  expect(isMessagesFault(refusal(type, false))).toBe(false)
})

test('a topic’s fault is told from one message’s', () => {
  expect(isTopicsFault(refusal('UNKNOWN_TOPIC_OR_PARTITION', true))).toBe(true)
  expect(isTopicsFault(refusal('MESSAGE_TOO_LARGE', false))).toBe(false)
})
