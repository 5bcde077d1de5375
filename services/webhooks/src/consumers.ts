import type { Bus } from '@filmgate/kit/bus/bus'
import { groupName } from '@filmgate/proto/groups'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { type ReceiveDeps, receive } from './deliveries/receive'

export type ConsumerDeps = { bus: Bus; topicPrefix: string; receiving: ReceiveDeps }

/** Reads what clients are told of. */
export const startConsumers = ({ bus, topicPrefix, receiving }: ConsumerDeps) =>
  bus.consume({
    group: groupName(topicPrefix, 'webhooks'),
    topics: { [topicName(topicPrefix, 'tasks')]: bytes => decode(topics.tasks.schema, bytes) },
    handle: messages => receive(receiving, messages),
  })
