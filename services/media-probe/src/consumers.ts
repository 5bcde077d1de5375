import type { Bus, Consumer } from '@filmgate/kit/bus/bus'
import { groupName } from '@filmgate/proto/groups'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { type PlanDeletionsDeps, planDeletions } from './deletion/plan-deletions'
import { type PlanPostersDeps, planPosters } from './poster/plan-posters'
import { type ReceiveDeps, receive } from './verification/receive'

export type ConsumerDeps = {
  bus: Bus
  topicPrefix: string
  receiving: ReceiveDeps
  planningDeletions: PlanDeletionsDeps
  planningPosters: PlanPostersDeps
}

export type Consumers = { joined(): boolean; stop(): Promise<unknown> }

/**
 * Most orders name no media, so fetching each at once would waste requests. A download takes longer than this anyway.
 */
const pollIntervalMs = 100

/** Reads reserved orders from one topic and ends of generations from another; each has its own offsets. */
export function startConsumers({ bus, topicPrefix, receiving, planningDeletions, planningPosters }: ConsumerDeps): Consumers {
  const consumers: Consumer[] = [
    bus.consume({
      group: groupName(topicPrefix, 'probeVerify'),
      topics: { [topicName(topicPrefix, 'credits')]: bytes => decode(topics.credits.schema, bytes) },
      handle: messages => receive(receiving, messages),
      pollIntervalMs,
    }),
    bus.consume({
      group: groupName(topicPrefix, 'probeRelease'),
      topics: { [topicName(topicPrefix, 'generations')]: bytes => decode(topics.generations.schema, bytes) },
      async handle(messages) {
        await planDeletions(planningDeletions, messages)
        await planPosters(planningPosters, messages)
      },
      pollIntervalMs,
    }),
  ]
  return {
    joined: () => consumers.every(consumer => consumer.joined()),
    stop: () => Promise.all(consumers.map(consumer => consumer.stop())),
  }
}
