import { listDeadLetters } from '@filmgate/kit/bus/dead-letters/list'
import { replayDeadLetters } from '@filmgate/kit/bus/dead-letters/replay'
import { refusalOf } from '@filmgate/kit/bus/publishing/refusal'
import { topicPlan } from '@filmgate/proto/topics'
import { OpsFault } from './fault'
import type { BrokerSettings } from './settings'

export type ListInput = { topic?: string; limit?: number; event?: string }
export type ReplayInput = ListInput & { by?: string; dryRun?: boolean; signal?: AbortSignal; progress?(words: string): void }

/** What was set aside and not replayed yet, with its cause. */
export const dlqList = (settings: BrokerSettings, { topic, limit, event }: ListInput) =>
  fromBrokers(settings, listDeadLetters({ ...lettersOf(settings, topic), limit, eventId: event }))

/** Sends the waiting letters back where they came from, or says which it would send. */
export async function dlqReplay(settings: BrokerSettings, { topic, limit, event, by, dryRun, signal, progress = () => {} }: ReplayInput) {
  if (dryRun) return { would_replay: await dlqList(settings, { topic, limit, event }) }
  const onProgress = (replayed: number) => progress(`${replayed} replayed`)
  const options = { ...lettersOf(settings, topic), limit, eventId: event, replayedBy: by, signal, onProgress }
  const { replayed, refused } = await fromBrokers(settings, replayDeadLetters(options))
  if (refused.length > 0) progress(`${refused.length} not taken back by the broker; they stay`)
  return { replayed, interrupted: signal?.aborted ?? false, refused }
}

function lettersOf({ kafka, topicPrefix }: BrokerSettings, topic: string | undefined) {
  // The number of partitions plays no part in the names.
  const all = topicPlan(topicPrefix, 1)
    .map(plan => plan.topic)
    .filter(name => name.endsWith('.dlq'))
  const topics = topic ? all.filter(name => name === topic || name === `${topic}.dlq`) : all
  if (topics.length === 0)
    throw new OpsFault(`There is no topic ${topic}; there are ${all.map(name => name.replace(/\.dlq$/, '')).join(', ')}.`)
  return { ...kafka, topics }
}

/** kafkajs wraps what it gave up on. */
const unreachable = /^KafkaJS(Connection|RequestTimeout|BrokerNotFound)/

function fromBrokers<T>({ kafka }: BrokerSettings, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    if (error.name === 'TooManyGaps') throw new OpsFault(`${error.message}: replay the whole topic, oldest first, before single ones.`)
    if (error.name === 'DeadlineError') throw new OpsFault(`${error.message}: is another replay under way?`)
    const refusal = refusalOf(error)
    if (refusal)
      throw new OpsFault(`The ${refusal} (${error.message}): see FILMGATE_KAFKA_TLS… and FILMGATE_KAFKA_SASL… in docs/operations.md.`)
    if (![error, error.cause].some(one => one instanceof Error && unreachable.test(one.name))) throw error
    throw new OpsFault(
      `Kafka doesn't answer at ${kafka.brokers.join(',')} (${error.message}); each broker must be reachable from here under the name it gives itself, which a port-forward isn't.`,
    )
  })
}
