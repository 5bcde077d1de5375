import type { Bus } from '@filmgate/kit/bus/bus'
import { topicName } from '@filmgate/proto/topics'
import { followPublished, type PublishedView } from './publish/published-view'

/** The catalog reads only its own topic, to publish only differences. */
export const startConsumers = ({ bus, topicPrefix }: { bus: Pick<Bus, 'readTable'>; topicPrefix: string }): PublishedView =>
  followPublished(bus, topicName(topicPrefix, 'catalog'))
