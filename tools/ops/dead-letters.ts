import { listDeadLetters, replayDeadLetters } from '@filmgate/kit/bus/dead-letters'
import { topicPlan } from '@filmgate/proto/topics'
import { OpsFault } from './fault'
import type { BrokerSettings } from './settings'

/** What was set aside and not replayed yet, with its cause. */
export const dlqList = (settings: BrokerSettings, input: { topic?: string }) => listDeadLetters(lettersOf(settings, input.topic))

/** Sends the waiting letters back where they came from. */
export const dlqReplay = (settings: BrokerSettings, input: { topic?: string }) => replayDeadLetters(lettersOf(settings, input.topic))

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
