import { expect, test } from 'bun:test'
import type { KafkaMessage } from 'kafkajs'
import { toKafka } from '../message'
import { returned } from './letter'

test('a letter that is sent back carries its own event, and who had it sent', () => {
  const headers = { 'event-id': 'e1', 'dlq-cause': 'a cause' }
  const message = { key: Buffer.from('k'), value: Buffer.from('v'), offset: '7', timestamp: '0', headers } as unknown as KafkaMessage
  const letter = { topic: 't.dlq', offset: 7, message }
  expect(toKafka(returned(letter, 'Ada Å.')).headers as object).toEqual({ 'event-id': 'e1', 'replayed-by': 'Ada Å.' })
  expect(toKafka(returned(letter, undefined)).headers).toEqual({ 'event-id': 'e1' })
})
