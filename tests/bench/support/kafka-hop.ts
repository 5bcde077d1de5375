import { benchKafka, createTopics, deleteTopics } from './create-topics'
import { median } from './row'

const samples = 400
const warmUp = 100

/**
 * The round trip of one bare Kafka hop, in milliseconds: a message is sent with acks=all, acknowledged, and taken by a consumer,
 * one in flight. Nothing of Filmgate is in between.
 */
export async function measureKafkaHop(): Promise<number> {
  const topic = `bench-hop-${crypto.randomUUID()}`
  await createTopics([topic], 1)
  const kafka = benchKafka()
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
  const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 100 })
  await producer.connect()
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  let arrived = () => {}
  const joined = Promise.withResolvers<void>()
  consumer.on(consumer.events.GROUP_JOIN, () => joined.resolve())
  await consumer.run({ autoCommit: false, eachBatch: async () => arrived() })
  await joined.promise
  const tripsMs: number[] = []
  for (let trip = 0; trip < warmUp + samples; trip++) {
    const taken = new Promise<void>(resolve => {
      arrived = resolve
    })
    const sentAt = performance.now()
    await Promise.all([producer.send({ topic, acks: -1, messages: [{ value: 'x'.repeat(500) }] }), taken])
    if (trip >= warmUp) tripsMs.push(performance.now() - sentAt)
  }
  await consumer.disconnect()
  await producer.disconnect()
  await deleteTopics([topic])
  return median(tripsMs)
}
