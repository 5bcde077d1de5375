import { Kafka, logLevel } from 'kafkajs'
import { settings } from '../../support/settings'
import { until } from '../../support/until'

export const benchKafka = () => new Kafka({ clientId: 'bench', brokers: settings.kafkaBrokers, logLevel: logLevel.NOTHING })

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
