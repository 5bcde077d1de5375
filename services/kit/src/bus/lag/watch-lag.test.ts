import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Kafka, logLevel } from 'kafkajs'
import { metricsText } from '../../telemetry/metrics'
import { servers, type TestTopic, testLog, testTopic, until } from '../../testing'
import { readText as read } from '../../testing/read-text'
import { type Bus, createBus } from '../bus'
import { replayDeadLetters } from '../dead-letters/replay'
import { watchLag } from './watch-lag'

let bus: Bus
let topic: TestTopic
const brokers = servers.kafkaBrokers
beforeAll(async () => {
  bus = createBus({ brokers, clientId: 'lag-test', log: testLog })
  topic = await testTopic(1)
})
afterAll(async () => {
  await bus.stop()
  await topic.drop()
})

const shows = (line: string) => until(line, async () => (await metricsText()).split('\n').includes(line))
const secondsOf = async (labels: string) =>
  Number((await metricsText()).split(`bus_consumer_lag_seconds${labels} `)[1]?.split('\n')[0] ?? 0)

async function publishAt(text: string, timestampMs: number): Promise<void> {
  const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer()
  await producer.connect()
  await producer.send({ topic: topic.name, messages: [{ key: 'k', value: text, timestamp: String(timestampMs) }] })
  await producer.disconnect()
}

async function deleteRecords(before: number) {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  // Makes kafkajs look where the topic is, which its deletion does not.
  await admin.fetchTopicOffsets(topic.name)
  await admin.deleteTopicRecords({ topic: topic.name, partitions: [{ partition: 0, offset: String(before) }] })
  await admin.disconnect()
}
const publish = (text: string) => bus.publish([{ topic: topic.name, key: 'k', value: new TextEncoder().encode(text) }])

test('the broker says how far a group is: before it ever joined, while it consumes, after it was stopped, and what it missed', async () => {
  const group = topic.name
  const labels = `{group="${group}",topic="${topic.name}",partition="0"}`
  const lag = watchLag({ brokers, log: testLog, groups: [{ group, topics: [topic.name] }], deadLetterTopics: [], everyMs: 50 })
  await shows(`bus_consumer_lag${labels} 0`)
  await publish('a')
  await publish('b')
  await shows(`bus_consumer_lag${labels} 2`)
  const consumer = bus.consume({ group, topics: { [topic.name]: read }, handle: async () => {} })
  await shows(`bus_consumer_lag${labels} 0`)
  await shows(`bus_consumer_offset${labels} 2`)
  await consumer.stop()
  await shows(`bus_consumer_lag_seconds${labels} 0`)
  await publish('c')
  await shows(`bus_consumer_lag${labels} 1`)
  await until('its age', async () => (await secondsOf(labels)) > 0.3)
  await shows(`bus_consumer_missed${labels} 0`)
  await deleteRecords(3)
  await shows(`bus_consumer_lag${labels} 0`)
  await shows(`bus_consumer_missed${labels} 1`)
  await lag.stop()
})

test('a watcher that begins while a message waits knows about when it was written', async () => {
  const group = `${topic.name}-late`
  const labels = `{group="${group}",topic="${topic.name}",partition="0"}`
  await publishAt('old', Date.now() - 600_000)
  const lag = watchLag({ brokers, log: testLog, groups: [{ group, topics: [topic.name] }], deadLetterTopics: [], everyMs: 50 })
  await until('an age of five minutes', async () => (await secondsOf(labels)) > 299)
  expect(await secondsOf(labels)).toBeLessThan(600)
  await lag.stop()
})

test('dead letters wait from when they are written until they are sent back', async () => {
  const deadLetterTopics = [`${topic.name}.dlq`]
  const lag = watchLag({ brokers, log: testLog, groups: [], deadLetterTopics, everyMs: 50 })
  const line = `bus_dead_letters_waiting{topic="${topic.name}.dlq"}`
  await shows(`${line} 0`)
  const consumer = bus.consume({ group: `${topic.name}-reader`, topics: { [topic.name]: read }, handle: async () => {} })
  await publish('unreadable')
  await shows(`${line} 1`)
  await consumer.stop()
  await replayDeadLetters({ brokers, topics: deadLetterTopics })
  await shows(`${line} 0`)
  await lag.stop()
})

test('what can not be read hides no other, and the age of the last whole reading grows', async () => {
  const groups = [{ group: topic.name, topics: [topic.name, `${topic.name}-absent`] }]
  const lag = watchLag({ brokers, log: testLog, groups, deadLetterTopics: [], everyMs: 50 })
  await until('what is there', async () => (await metricsText()).includes(`bus_consumer_lag{group="${topic.name}",topic="${topic.name}"`))
  await until('an age', async () => Number(/^bus_lag_age_seconds (\S+)$/m.exec(await metricsText())?.[1]) > 1)
  await lag.stop()
})

test('a broker that is not there holds up no scrape and shows no lag', async () => {
  const lag = watchLag({
    ...{ brokers: ['127.0.0.1:1'], log: testLog, deadLetterTopics: [], everyMs: 50 },
    groups: [{ group: 'nobody', topics: ['nothing'] }],
  })
  const startedAt = performance.now()
  const text = await metricsText()
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  expect(text).not.toContain('group="nobody"')
  await lag.stop()
})
