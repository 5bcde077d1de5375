import type { Admin, Kafka, Producer } from 'kafkajs'
import { pause, withDeadline } from '../../deadline'
import type { Log } from '../../telemetry/log'
import { gauge } from '../../telemetry/metrics'
import { createGather } from '../gather'
import { type Outgoing, toKafka } from '../message'
import { isMessagesFault } from './messages-fault'
import { refusalOf } from './refusal'

const publishTimeoutMs = 8_000
const probeTimeoutMs = 2_000
const probeEveryMs = 1_000
/** Below the broker's message.max.bytes (1 MiB), which bounds a partition's share of one request. */
const requestBytesMax = 768 * 1024
/** Headers and framing of one message, roughly. */
const overheadBytes = 160

/**
 * Sends whatever has gathered while the last batch was under way as the next one. One request in flight keeps the producer's
 * idempotence valid; a send that does not answer in time fails its callers (the outbox sends again) and gets a new producer.
 */
export function createPublisher(kafka: Kafka, log: Log) {
  let producer: Producer | undefined
  let admin: Admin | undefined
  let up = false
  /** What was logged last: whether the broker answers is logged when it changes. */
  let lastWords: string | undefined
  let refused = false
  // Never yet: the first question is asked at once, however young the process.
  let answeredAt = Number.NEGATIVE_INFINITY
  const stopping = new AbortController()
  gauge('bus_broker_refuses', '1 while the broker is there and does not let us in, or shows a certificate that is not trusted', () =>
    refused ? 1 : 0,
  )

  async function connectedProducer(): Promise<Producer> {
    if (producer) return producer
    const fresh = kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false })
    await withDeadline(fresh.connect(), publishTimeoutMs, 'connecting to the broker')
    producer = fresh
    return fresh
  }

  function sawAnswer(answered: boolean, error?: unknown) {
    const refusal = answered ? undefined : refusalOf(error)
    refused = refusal !== undefined
    const words = answered ? 'broker answers' : (refusal ?? 'broker does not answer')
    if (words !== lastWords) log[answered ? 'info' : 'warn']({ err: error }, words)
    lastWords = words
    up = answered
    if (answered) answeredAt = performance.now()
  }

  async function send(messages: Outgoing[]): Promise<undefined> {
    try {
      const ready = await connectedProducer()
      for (const request of requestsOf(messages)) {
        await withDeadline(ready.sendBatch({ acks: -1, topicMessages: request }), publishTimeoutMs, 'publishing')
        sawAnswer(true)
      }
    } catch (error) {
      if (!isMessagesFault(error)) sawAnswer(false, error)
      const broken = producer
      producer = undefined
      if (broken) void disconnect(broken)
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
    const askedAt = performance.now()
    const asked = admin ?? kafka.admin({ retry: { retries: 0 } })
    try {
      if (!admin) await withDeadline(asked.connect(), probeTimeoutMs, 'the broker')
      admin = asked
      await withDeadline(asked.describeCluster(), probeTimeoutMs, 'the broker')
      sawAnswer(true)
    } catch (error) {
      admin = undefined
      // What was published meanwhile knows better.
      if (answeredAt < askedAt) sawAnswer(false, error)
      await disconnect(asked)
    }
  }

  const gather = createGather(send, { separable: isMessagesFault })
  const probing = probe()

  return {
    connected: () => up,
    publish: (messages: Outgoing[]): Promise<void> => (messages.length === 0 ? Promise.resolve() : gather.add(messages).handled),
    async stop() {
      stopping.abort()
      await probing
      await Promise.all([producer, admin].map(client => client && disconnect(client)))
    },
  }
}

const disconnect = (client: Producer | Admin): Promise<void> =>
  withDeadline(client.disconnect(), probeTimeoutMs, 'disconnecting').catch(() => {})

type TopicMessages = { topic: string; messages: ReturnType<typeof toKafka>[] }[]

/** Cuts messages, in their order, into requests that the broker takes; within one they are grouped by topic. */
function* requestsOf(messages: Outgoing[]): Generator<TopicMessages> {
  let portion: Outgoing[] = []
  let bytes = 0
  for (const message of messages) {
    const size = (message.value?.length ?? 0) + message.key.length + overheadBytes
    if (portion.length > 0 && bytes + size > requestBytesMax) {
      yield byTopic(portion)
      portion = []
      bytes = 0
    }
    portion.push(message)
    bytes += size
  }
  yield byTopic(portion)
}

const byTopic = (messages: Outgoing[]): TopicMessages =>
  [...Map.groupBy(messages, message => message.topic)].map(([topic, some]) => ({ topic, messages: some.map(toKafka) }))
