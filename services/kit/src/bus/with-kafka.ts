import type { Admin, Kafka } from 'kafkajs'
import { type KafkaAccess, openKafka } from './open-kafka'

/** An operator's work on a broker, with an admin of its own that is let go at the end. */
export async function withKafka<T>(access: KafkaAccess, use: (kafka: Kafka, admin: Admin) => Promise<T>): Promise<T> {
  const { brokers, tls, sasl } = access
  const kafka = openKafka({ brokers, tls, sasl }, { clientId: 'operator', retry: { retries: 3 } })
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await use(kafka, admin)
  } finally {
    await admin.disconnect()
  }
}
