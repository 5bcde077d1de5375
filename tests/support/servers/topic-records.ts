import { type Admin, Kafka, logLevel } from 'kafkajs'
import { settings } from '../settings'

export type Topic = 'requests' | 'credits' | 'media' | 'generations'

export const topicName = (topic: Topic) => `filmgate.${topic}.v1`

async function ask<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new Kafka({ clientId: 'tests', brokers: settings.kafkaBrokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

/** How many records were ever written to a topic. */
export const writtenTo = (topic: Topic): Promise<number> =>
  ask(async admin => (await admin.fetchTopicOffsets(topicName(topic))).reduce((sum, { high }) => sum + Number(high), 0))

/** Deletes every record of a topic, read or not: what a broker's lost disk or an ended retention leaves. */
export const deleteRecords = (topic: Topic): Promise<void> => deleteAll(topicName(topic))

/** Deletes what was set aside of a topic: its letters have expired. */
export const deleteLetters = (topic: Topic): Promise<void> => deleteAll(`${topicName(topic)}.dlq`)

const deleteAll = (topic: string): Promise<void> =>
  ask(async admin => {
    const offsets = await admin.fetchTopicOffsets(topic)
    const partitions = offsets.filter(({ low, high }) => low !== high).map(({ partition, high }) => ({ partition, offset: high }))
    if (partitions.length > 0) await admin.deleteTopicRecords({ topic, partitions })
  })
