import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import { servers } from '../../testing'
import { applyTopics, settingsOf } from './topics'

test('the broker is brought to the plan, only what differs is touched, and a second run changes nothing', async () => {
  const name = `test-${randomUUID()}`
  const brokers = servers.kafkaBrokers
  const apply = (plan: Parameters<typeof applyTopics>[0]['plan']) => applyTopics({ brokers, replicas: 1, plan })
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const first = [
      { topic: name, partitions: 2, retentionMs: 3_600_000, compacted: false },
      { topic: `${name}-table`, partitions: 1, retentionMs: -1, compacted: true },
    ]
    expect(await apply(first)).toEqual([
      { topic: name, change: 'created' },
      { topic: `${name}-table`, change: 'created' },
    ])
    expect(await apply(first)).toEqual([])

    const raised = [{ topic: name, partitions: 4, retentionMs: 7_200_000, compacted: false, messageBytesMax: 1_200_000 }]
    expect(await apply(raised)).toEqual([
      { topic: name, change: 'partitions raised' },
      { topic: name, change: 'settings changed' },
    ])
    expect(await apply(raised)).toEqual([])
    const { topics } = await admin.fetchTopicMetadata({ topics: [name] })
    expect(topics[0]?.partitions).toHaveLength(4)
    const resources = [{ type: ConfigResourceTypes.TOPIC, name, configNames: ['retention.ms', 'min.insync.replicas', 'max.message.bytes'] }]
    const { resources: described } = await admin.describeConfigs({ resources, includeSynonyms: false })
    expect(Object.fromEntries(described[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]) ?? [])).toEqual({
      'retention.ms': '7200000',
      'min.insync.replicas': '1',
      'max.message.bytes': '1200000',
    })
  } finally {
    await admin.deleteTopics({ topics: [name, `${name}-table`] })
    await admin.disconnect()
  }
})

test('two runs at one moment raise a topic once, and neither fails', async () => {
  const topic = `test-${randomUUID()}`
  const apply = (partitions: number) =>
    applyTopics({
      brokers: servers.kafkaBrokers,
      replicas: 1,
      plan: [{ topic, partitions, retentionMs: 3_600_000, compacted: false }],
    })
  const admin = new Kafka({ brokers: servers.kafkaBrokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    await apply(1)
    for (const partitions of [2, 3, 4, 5]) {
      await Promise.all([apply(partitions), apply(partitions)])
      expect(await apply(partitions)).toEqual([])
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
      expect(topics[0]?.partitions).toHaveLength(partitions)
    }
  } finally {
    await admin.deleteTopics({ topics: [topic] })
    await admin.disconnect()
  }
})

test.each([
  [1, '1'],
  [2, '1'],
  [3, '2'],
  [5, '4'],
])('%i copies are acknowledged by %s of them', (replicas, expected) => {
  expect(settingsOf({ topic: 't', partitions: 1, retentionMs: 1, compacted: false }, replicas)).toMatchObject({
    'min.insync.replicas': expected,
  })
})
