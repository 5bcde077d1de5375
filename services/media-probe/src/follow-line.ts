import type { Bus, Consumer } from '@filmgate/kit/bus'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { type ReceiveDeps, receive } from './verification/receive'
import { type ReleaseDeps, release } from './verification/release'

export type LineDeps = { bus: Bus; topicPrefix: string; receiving: ReceiveDeps; releasing: ReleaseDeps }

/** A download takes longer than this anyway, and most orders name no media: they should not cost a turn each. */
const restMs = 100

/** Reserved orders come in from one topic, the ends of generations from another; each has its own offsets. */
export function followLine({ bus, topicPrefix, receiving, releasing }: LineDeps): Consumer[] {
  return [
    bus.consume({
      group: `${topicPrefix}.media-probe.verify`,
      topics: { [topicName(topicPrefix, 'credits')]: bytes => decode(topics.credits.schema, bytes) },
      handle: messages => receive(receiving, messages),
      restMs,
    }),
    bus.consume({
      group: `${topicPrefix}.media-probe.release`,
      topics: { [topicName(topicPrefix, 'generations')]: bytes => decode(topics.generations.schema, bytes) },
      handle: messages => release(releasing, messages),
      restMs,
    }),
  ]
}
