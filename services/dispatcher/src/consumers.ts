import type { Bus, Consumer } from '@filmgate/kit/bus/bus'
import type { CallbacksEvent } from '@filmgate/proto/gen/filmgate/v1/callbacks_pb'
import type { RequestsEvent } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { groupName } from '@filmgate/proto/groups'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { readOrder } from './attempt/order'
import { type TakeCancelsDeps, takeCancels } from './cancel/take-cancels'
import { type CalledBackDeps, takeCallbacks } from './follow/callbacks/take-callbacks'
import { type SubmitDeps, submitOrders } from './submit/submit-orders'

export type ConsumersDeps = {
  bus: Bus
  topicPrefix: string
  submitting: SubmitDeps
  cancelling: TakeCancelsDeps
  calledBack: CalledBackDeps
}

/** Orders whose turn has come, cancels, and hints from providers; in groups of their own, so that a flood of hints never delays an order. */
export function startConsumers({ bus, topicPrefix, submitting, cancelling, calledBack }: ConsumersDeps): Consumer {
  const orders = bus.consume({
    group: groupName(topicPrefix, 'dispatcher'),
    topics: {
      [topicName(topicPrefix, 'credits')]: bytes => readOrder({ topic: 'credits', bytes }),
      [topicName(topicPrefix, 'media')]: bytes => readOrder({ topic: 'media', bytes }),
    },
    handle: messages =>
      submitOrders(
        submitting,
        messages.flatMap(({ event, traceparent }) => (event ? [{ ...event, traceparent }] : [])),
      ),
  })
  const cancels = bus.consume<RequestsEvent['event']>({
    group: groupName(topicPrefix, 'dispatcherCancels'),
    topics: { [topicName(topicPrefix, 'requests')]: bytes => decode(topics.requests.schema, bytes).event },
    handle: messages => takeCancels(cancelling, messages),
  })
  const hints = bus.consume<CallbacksEvent['event']>({
    group: groupName(topicPrefix, 'dispatcherCallbacks'),
    topics: { [topicName(topicPrefix, 'callbacks')]: bytes => decode(topics.callbacks.schema, bytes).event },
    handle: messages =>
      takeCallbacks(
        calledBack,
        messages.map(({ event }) => event),
      ),
  })
  return {
    joined: () => orders.joined() && cancels.joined() && hints.joined(),
    async stop() {
      await Promise.all([orders.stop(), cancels.stop(), hints.stop()])
    },
  }
}
