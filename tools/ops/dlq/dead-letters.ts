import { listDeadLetters } from '@filmgate/kit/bus/dead-letters/list'
import { replayDeadLetters } from '@filmgate/kit/bus/dead-letters/replay'
import { refusalOf } from '@filmgate/kit/bus/publishing/refusal'
import { listOf } from '@filmgate/proto/operator/answer'
import { DeadLetter, Discard, DiscardedLetter } from '@filmgate/proto/operator/bus'
import { topicPlan } from '@filmgate/proto/topics'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'
import type { BrokerSettings } from '../settings'

export type ListInput = { topic?: string; limit?: number; event?: string; group?: string }
export type ReplayInput = ListInput & { by?: string; dryRun?: boolean; signal?: AbortSignal; progress?(words: string): void }
export type DiscardInput = Omit<ListInput, 'topic'> & { topic: string; reason: string; by?: string; dryRun?: boolean; signal?: AbortSignal }

/** What the gateway discards in one call. */
const discardedMax = 500

/** What was set aside and not replayed yet, with its cause. */
export const dlqList = (settings: BrokerSettings, { topic, limit, event, group }: ListInput) =>
  fromBrokers(settings, listDeadLetters({ ...lettersOf(settings, topic), limit, eventId: event, group }))

/** Sends each waiting letter back to the group that set it aside, or says which it would send. */
export async function dlqReplay(settings: BrokerSettings, { dryRun, by, signal, progress = () => {}, ...filter }: ReplayInput) {
  if (dryRun) return { would_replay: await dlqList(settings, filter) }
  const { topic, limit, event, group } = filter
  const onProgress = (removed: number) => progress(`${removed} replayed`)
  const options = { ...lettersOf(settings, topic), limit, eventId: event, group, replayedBy: by, signal, onProgress }
  const { replayed, copies, refused } = await fromBrokers(settings, replayDeadLetters(options))
  if (refused.length > 0) progress(`${refused.length} not taken back by the broker; they stay`)
  return { replayed, copies, interrupted: signal?.aborted ?? false, refused }
}

/** Has the gateway discard waiting letters, which keeps who did it and why, or says which it would discard: at most 500. */
export async function dlqDiscard(call: Call, { topic, event, group, limit, reason, by, dryRun, signal }: DiscardInput) {
  const filter = { topic: topic.endsWith('.dlq') ? topic : `${topic}.dlq`, ...(event && { event }), ...(group && { group }) }
  const left = limit ?? Number.POSITIVE_INFINITY
  if (dryRun) {
    const query = new URLSearchParams({ ...filter, limit: String(Math.min(left, discardedMax)) })
    return { would_discard: (await callFor(call, listOf(DeadLetter), 'gateway', 'GET', `/dead-letters?${query}`)).data }
  }
  let discarded = 0
  while (discarded < left && !signal?.aborted) {
    const atMost = Math.min(left - discarded, discardedMax)
    const body = { ...filter, limit: atMost, reason, ...(by && { by }) }
    const done = await callFor(call, Discard, 'gateway', 'POST', '/dead-letters/discard', body)
    discarded += done.discarded
    if (done.discarded < atMost) break
  }
  return { discarded, interrupted: signal?.aborted ?? false }
}

/** The letters that were discarded last: by whom and why. */
export const dlqDiscarded = async (call: Call, { limit = 100 }: { limit?: number }) =>
  (await callFor(call, listOf(DiscardedLetter), 'gateway', 'GET', `/dead-letters/discarded?limit=${limit}`)).data

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
