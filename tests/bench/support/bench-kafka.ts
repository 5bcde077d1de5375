import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs'
import { settings } from '../../support/settings'
import { until } from '../../support/until'

const benchKafka = () => new Kafka({ clientId: 'bench', brokers: settings.kafkaBrokers, logLevel: logLevel.NOTHING })

/** New topics, once all their partitions have leaders. */
export async function createTopics(names: string[], partitions: number): Promise<void> {
  const admin = benchKafka().admin()
  await admin.connect()
  await admin.createTopics({
    topics: names.map(topic => ({ topic, numPartitions: partitions, replicationFactor: 1 })),
    waitForLeaders: false,
  })
  await until('the leaders of new topics', async () => {
    const { topics } = await admin.fetchTopicMetadata({ topics: names }).catch(() => ({ topics: [] }))
    return topics.length === names.length && topics.every(topic => topic.partitions.every(({ leader }) => leader >= 0))
  })
  await admin.disconnect()
}

export async function deleteTopics(names: string[]): Promise<void> {
  const admin = benchKafka().admin()
  await admin.connect()
  await admin.deleteTopics({ topics: names })
  await admin.disconnect()
}

/** One end of a hop: hands over what arrives in `from`, and sends to `to` with acks=all. Resolves once it is assigned its partitions. */
export async function openHop(from: string, to: string, arrived: (value: Buffer) => void) {
  const kafka = benchKafka()
  const producer: Producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
  const consumer: Consumer = kafka.consumer({ groupId: from, maxWaitTimeInMs: 100 })
  await Promise.all([producer.connect(), consumer.connect()])
  await consumer.subscribe({ topics: [from], fromBeginning: true })
  const joined = Promise.withResolvers<void>()
  consumer.on(consumer.events.GROUP_JOIN, () => joined.resolve())
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => batch.messages.forEach(({ value }) => void (value && arrived(value))),
  })
  await joined.promise
  return {
    send: async (value: Buffer | string) => void (await producer.send({ topic: to, acks: -1, messages: [{ value }] })),
    close: async () => void (await Promise.all([consumer.disconnect(), producer.disconnect()])),
  }
}
