import { expect, test } from 'bun:test'
import type { KafkaMessage } from 'kafkajs'
import { toKafka } from '../message'
import { describe, returned } from './letter'

const letterWith = (headers: Record<string, string>) => {
  const message = { key: Buffer.from('k'), value: Buffer.from('v'), offset: '7', timestamp: '60000', headers } as unknown as KafkaMessage
  return { topic: 't.dlq', offset: 7, message }
}
const sent = (headers: Record<string, string>, by?: string) => toKafka(returned(letterWith(headers), by)).headers as object
const [first, second] = ['1970-01-01T00:00:30.000Z', '1970-01-01T00:01:00.000Z']

test('a letter that is sent back carries its own event, the group it is for, and who had it sent', () => {
  expect(sent({ 'event-id': 'e1', 'dlq-cause': 'a cause', 'dlq-group': 'ledger' }, 'Ada Å.')).toEqual({
    ...{ 'event-id': 'e1', 'replayed-for': 'ledger', 'replayed-by': 'Ada Å.', 'dlq-replays': '1', 'dlq-first-at': second },
  })
})

test('one that came back counts on and keeps when it was first set aside', () => {
  const headers = { 'event-id': 'e1', 'dlq-group': 'ledger', 'dlq-replays': '2', 'dlq-first-at': first }
  expect(describe(letterWith(headers))).toMatchObject({ cameBack: 2, firstAt: first, at: second })
  expect(sent(headers)).toMatchObject({ 'dlq-replays': '3', 'dlq-first-at': first })
})

test('one that names no group is for all', () => {
  expect(sent({ 'event-id': 'e1' })).toEqual({ 'event-id': 'e1', 'dlq-replays': '1', 'dlq-first-at': second })
  expect(describe(letterWith({}))).toMatchObject({ group: '', cameBack: 0, firstAt: second })
})
