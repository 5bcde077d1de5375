import type { Bus, Consumer } from '@filmgate/kit/bus'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { type ReceiveDeps, receive } from './verification/receive'
import { type ReleaseDeps, release } from './verification/release'

export type LineDeps = { bus: Bus; topicPrefix: string; receiving: ReceiveDeps; releasing: ReleaseDeps }

/** Reserved orders come in from one topic, the ends of generations from another; each has its own offsets. */
export function followLine({ bus, topicPrefix, receiving, releasing }: LineDeps): Consumer[] {
  return [
    bus.consume({
      group: `${topicPrefix}.media-probe.verify`,
      topics: { [topicName(topicPrefix, 'credits')]: bytes => decode(topics.credits.schema, bytes) },
      handle: messages => receive(receiving, messages),
    }),
    bus.consume({
      group: `${topicPrefix}.media-probe.release`,
      topics: { [topicName(topicPrefix, 'generations')]: bytes => decode(topics.generations.schema, bytes) },
      handle: messages => release(releasing, messages),
    }),
  ]
}
