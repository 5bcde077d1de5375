import { type Admin, Kafka, logLevel } from 'kafkajs'
import { settings } from '../settings'

export type Topic = 'requests' | 'credits' | 'media' | 'generations' | 'callbacks'

export const topicName = (topic: Topic) => `filmgate.${topic}.v1`

const kafka = () => new Kafka({ clientId: 'tests', brokers: settings.kafkaBrokers, logLevel: logLevel.NOTHING })

async function ask<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka().admin()
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

/** The first record of a key, once it is there. */
export async function recordOf(topic: Topic, key: string): Promise<Buffer> {
  const groupId = `tests-${crypto.randomUUID()}`
  const consumer = kafka().consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 })
  const found = Promise.withResolvers<Buffer>()
  await consumer.connect()
  try {
    await consumer.subscribe({ topics: [topicName(topic)], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => void (message.key?.toString() === key && message.value && found.resolve(message.value)),
    })
    return await found.promise
  } finally {
    await consumer.disconnect()
    await ask(admin => admin.deleteGroups([groupId]).catch(() => undefined))
  }
}

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
