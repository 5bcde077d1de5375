import type { Kafka, Producer } from 'kafkajs'
import { pause, withDeadline } from '../deadline'
import type { Log } from '../log'
import { createGather } from './gather'
import { type Outgoing, toKafka } from './message'

const publishTimeoutMs = 8_000
const probeTimeoutMs = 2_000
const probeEveryMs = 1_000

/**
 * Sends whatever has gathered while the last batch was under way as the next one. One request in flight keeps the producer's
 * idempotence valid; a send that does not answer in time fails its callers (the outbox sends again) and gets a new producer.
 */
export function createPublisher(kafka: Kafka, log: Log) {
  let producer: Producer | undefined
  let up = false
  let answeredAt = 0
  const stopping = new AbortController()

  async function connectedProducer(): Promise<Producer> {
    if (producer) return producer
    const fresh = kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false })
    await withDeadline(fresh.connect(), publishTimeoutMs, 'connecting to the broker')
    producer = fresh
    return fresh
  }

  function sawAnswer(answered: boolean, error?: unknown) {
    if (answered !== up) log[answered ? 'info' : 'warn']({ err: error }, answered ? 'broker answers' : 'broker does not answer')
    up = answered
    if (answered) answeredAt = performance.now()
  }

  async function send(messages: Outgoing[]): Promise<void> {
    const byTopic = Map.groupBy(messages, message => message.topic)
    try {
      const ready = await connectedProducer()
      const topicMessages = [...byTopic].map(([topic, messages]) => ({ topic, messages: messages.map(toKafka) }))
      await withDeadline(ready.sendBatch({ acks: -1, topicMessages }), publishTimeoutMs, 'publishing')
      sawAnswer(true)
    } catch (error) {
      sawAnswer(false, error)
      const broken = producer
      producer = undefined
      if (broken) void withDeadline(broken.disconnect(), probeTimeoutMs, 'disconnecting').catch(() => {})
      throw error
    }
  }

  async function probe(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (performance.now() - answeredAt > probeEveryMs) await ask()
      await pause(probeEveryMs, stopping.signal)
    }
  }

  async function ask(): Promise<void> {
    const admin = kafka.admin({ retry: { retries: 0 } })
    try {
      await withDeadline(
        admin.connect().then(() => admin.describeCluster()),
        probeTimeoutMs,
        'the broker',
      )
      sawAnswer(true)
    } catch (error) {
      sawAnswer(false, error)
    } finally {
      await withDeadline(admin.disconnect(), probeTimeoutMs, 'disconnecting').catch(() => {})
    }
  }

  const gather = createGather(send)
  const probing = probe()

  return {
    connected: () => up,
    publish: (messages: Outgoing[]): Promise<void> => (messages.length === 0 ? Promise.resolve() : gather.add(messages)),
    async stop() {
      stopping.abort()
      await probing
      if (producer) await withDeadline(producer.disconnect(), publishTimeoutMs, 'disconnecting').catch(() => {})
    },
  }
}
