import { listDeadLetters, replayDeadLetters } from '@filmgate/kit/bus/dead-letters'
import { topicPlan } from '@filmgate/proto/topics'
import { OpsFault } from './fault'
import type { BrokerSettings } from './settings'

/** What was set aside and not replayed yet, with its cause. */
export const dlqList = (settings: BrokerSettings, input: { topic?: string }) =>
  fromBrokers(settings, listDeadLetters(lettersOf(settings, input.topic)))

/** Sends the waiting letters back where they came from. */
export const dlqReplay = (settings: BrokerSettings, input: { topic?: string }) =>
  fromBrokers(settings, replayDeadLetters(lettersOf(settings, input.topic)))

function lettersOf({ kafkaBrokers, topicPrefix }: BrokerSettings, topic: string | undefined) {
  // The number of partitions plays no part in the names.
  const all = topicPlan(topicPrefix, 1)
    .map(plan => plan.topic)
    .filter(name => name.endsWith('.dlq'))
  const topics = topic ? all.filter(name => name === topic || name === `${topic}.dlq`) : all
  if (topics.length === 0)
    throw new OpsFault(`There is no topic ${topic}; there are ${all.map(name => name.replace(/\.dlq$/, '')).join(', ')}.`)
  return { brokers: kafkaBrokers.split(','), topics }
}

/** kafkajs wraps what it gave up on. */
const unreachable = /^KafkaJS(Connection|RequestTimeout|BrokerNotFound)/

function fromBrokers<T>({ kafkaBrokers }: BrokerSettings, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    if (![error, error.cause].some(one => one instanceof Error && unreachable.test(one.name))) throw error
    throw new OpsFault(
      `Kafka doesn't answer at ${kafkaBrokers} (${error.message}); each broker must be reachable from here under the name it gives itself, which a port-forward isn't.`,
    )
  })
}
