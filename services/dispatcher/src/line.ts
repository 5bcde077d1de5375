import type { Bus, Consumer } from '@filmgate/kit/bus'
import type { CallbacksEvent } from '@filmgate/proto/gen/filmgate/v1/callbacks_pb'
import { groupName } from '@filmgate/proto/groups'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { type ReadyOrder, readOrder } from './attempt/order'

export type LineDeps = {
  bus: Bus
  topicPrefix: string
  begin(orders: ReadyOrder[]): Promise<void>
  wake(events: CallbacksEvent['event'][]): Promise<void>
}

/** Orders whose turn has come, and hints from makers; in groups of their own, so that a flood of hints never stands before an order. */
export function followLine({ bus, topicPrefix, begin, wake }: LineDeps): Consumer {
  const orders = bus.consume({
    group: groupName(topicPrefix, 'dispatcher'),
    topics: {
      [topicName(topicPrefix, 'credits')]: bytes => readOrder({ topic: 'credits', bytes }),
      [topicName(topicPrefix, 'media')]: bytes => readOrder({ topic: 'media', bytes }),
    },
    handle: messages => begin(messages.flatMap(({ event, traceparent }) => (event ? [{ ...event, traceparent }] : []))),
  })
  const hints = bus.consume<CallbacksEvent['event']>({
    group: groupName(topicPrefix, 'dispatcherCallbacks'),
    topics: { [topicName(topicPrefix, 'callbacks')]: bytes => decode(topics.callbacks.schema, bytes).event },
    handle: messages => wake(messages.map(({ event }) => event)),
  })
  return {
    joined: () => orders.joined() && hints.joined(),
    async stop() {
      await Promise.all([orders.stop(), hints.stop()])
    },
  }
}
