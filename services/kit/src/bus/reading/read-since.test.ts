import { expect, test } from 'bun:test'
import { servers } from '../../testing'
import { message, testBus } from '../../testing/test-bus'
import { readSince } from './read-since'

const { newTopic, publish } = testBus()

const textsOf = async (topic: string, since: Date) =>
  (await readSince({ brokers: servers.kafkaBrokers }, topic, since)).map(({ key, value, eventId }) => ({
    key,
    text: new TextDecoder().decode(value),
    eventId,
  }))

test('what a topic keeps since a moment is read once from every partition, in order within a key, up to its end', async () => {
  const topic = await newTopic(3)
  expect(await textsOf(topic, new Date(0))).toEqual([])
  await publish([message(topic, 'a1', 'before')])
  await Bun.sleep(50)
  const since = new Date()
  await Bun.sleep(50)
  const texts = ['one', 'two', 'three']
  await publish(texts.flatMap(text => ['a1', 'b2', 'c3', 'd4'].map(key => message(topic, key, `${key} ${text}`))))
  const read = await textsOf(topic, since)
  for (const key of ['a1', 'b2', 'c3', 'd4'])
    expect(read.filter(one => one.key === key).map(one => one.text)).toEqual(texts.map(text => `${key} ${text}`))
  expect(read).toHaveLength(12)
  expect(read[0]?.eventId).toStartWith('event-')
  expect(await textsOf(topic, new Date(0))).toHaveLength(13)
}, 30_000)
