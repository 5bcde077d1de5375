import type { Bus, Consumer } from '@filmgate/kit/bus'
import { groupName } from '@filmgate/proto/groups'
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
      group: groupName(topicPrefix, 'probeVerify'),
      topics: { [topicName(topicPrefix, 'credits')]: bytes => decode(topics.credits.schema, bytes) },
      handle: messages => receive(receiving, messages),
      restMs,
    }),
    bus.consume({
      group: groupName(topicPrefix, 'probeRelease'),
      topics: { [topicName(topicPrefix, 'generations')]: bytes => decode(topics.generations.schema, bytes) },
      handle: messages => release(releasing, messages),
      restMs,
    }),
  ]
}
