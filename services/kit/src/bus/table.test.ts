import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Kafka, logLevel } from 'kafkajs'
import { servers, type TestTopic, testLog, testTopic, until } from '../testing'
import { readText as read } from '../testing/read-text'
import { type Bus, createBus } from './bus'
import { createTopics } from './topics/create-topics'

let bus: Bus
const topics: TestTopic[] = []
beforeAll(() => {
  bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'table-test', log: testLog })
})
afterAll(async () => {
  await bus.stop()
  await Promise.all(topics.map(topic => topic.drop()))
})

async function newTopic(): Promise<string> {
  const topic = await testTopic(2, true)
  topics.push(topic)
  return topic.name
}

function follow(topic: string, of = bus) {
  const rows = new Map<string, string>()
  const table = of.readTable({
    topic,
    read,
    apply: (key, row) => void (row === undefined ? rows.delete(key) : rows.set(key, row)),
  })
  return { rows, table }
}

const row = (topic: string, key: string, text: string | null) => ({
  topic,
  key,
  value: text === null ? null : new TextEncoder().encode(text),
})

test('a table is ready once what was there has been read, and then follows: changes, deletions, and rows it cannot read left out', async () => {
  const topic = await newTopic()
  await bus.publish([row(topic, 'a', '1'), row(topic, 'b', '1'), row(topic, 'c', 'unreadable'), row(topic, 'a', '2')])
  const { rows, table } = follow(topic)
  expect(table.ready()).toBe(false)
  await until('ready', table.ready)
  expect(Object.fromEntries(rows)).toEqual({ a: '2', b: '1' })
  await bus.publish([row(topic, 'b', null), row(topic, 'd', '1')])
  await until('followed', () => rows.has('d') && !rows.has('b'))
  expect(Object.fromEntries(rows)).toEqual({ a: '2', d: '1' })
})

test('an empty table is ready', async () => {
  const { rows, table } = follow(await newTopic())
  await until('ready', table.ready)
  expect(rows.size).toBe(0)
})

test('every reader reads the whole table, and its group is gone when it has stopped', async () => {
  const topic = await newTopic()
  const clientId = `reader-${crypto.randomUUID()}`
  const own = createBus({ brokers: servers.kafkaBrokers, clientId, log: testLog })
  await bus.publish([row(topic, 'a', '1')])
  const [one, two] = [follow(topic, own), follow(topic, own)]
  await until('both ready', () => one.table.ready() && two.table.ready())
  expect([one.rows.get('a'), two.rows.get('a')]).toEqual(['1', '1'])
  await own.stop()
  const admin = new Kafka({ brokers: servers.kafkaBrokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const { groups } = await admin.listGroups()
  await admin.disconnect()
  expect(groups.filter(({ groupId }) => groupId.startsWith(clientId))).toEqual([])
})

test('a table whose topic comes later becomes ready then', async () => {
  const later = `later-${crypto.randomUUID()}`
  const { rows, table } = follow(later)
  await Bun.sleep(300)
  expect(table.ready()).toBe(false)
  const admin = new Kafka({ brokers: servers.kafkaBrokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  await createTopics(admin, [{ topic: later, numPartitions: 1, configEntries: [{ name: 'cleanup.policy', value: 'compact' }] }])
  await bus.publish([row(later, 'a', '1')])
  await until('the row', () => table.ready() && rows.get('a') === '1')
  await table.stop()
  await admin.deleteTopics({ topics: [later] })
  await admin.disconnect()
})
