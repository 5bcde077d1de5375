import type { Bus, Consumer } from '@filmgate/kit/bus/bus'
import type { Sql } from '@filmgate/kit/database/postgres'
import { hastenJobs } from '@filmgate/kit/jobs/job-repository'
import type { CallbacksEvent } from '@filmgate/proto/gen/filmgate/v1/callbacks_pb'
import { groupName } from '@filmgate/proto/groups'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { attemptJob } from './attempt/jobs'
import { readOrder } from './attempt/order'
import { type SubmitDeps, submitOrders } from './submit/submit-orders'

export type ConsumersDeps = {
  bus: Bus
  topicPrefix: string
  submitting: SubmitDeps
  calledBack: CalledBackDeps
}

/** Orders whose turn has come, and hints from makers; in groups of their own, so that a flood of hints never delays an order. */
export function startConsumers({ bus, topicPrefix, submitting, calledBack }: ConsumersDeps): Consumer {
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
  const hints = bus.consume<CallbacksEvent['event']>({
    group: groupName(topicPrefix, 'dispatcherCallbacks'),
    topics: { [topicName(topicPrefix, 'callbacks')]: bytes => decode(topics.callbacks.schema, bytes).event },
    handle: messages =>
      hastenAttempts(
        calledBack,
        messages.map(({ event }) => event),
      ),
  })
  return {
    joined: () => orders.joined() && hints.joined(),
    async stop() {
      await Promise.all([orders.stop(), hints.stop()])
    },
  }
}

type CalledBackDeps = {
  sql: Sql
  /** Has due attempts looked at now. */
  wake(): void
}

/** A maker called back: its attempt is asked about now instead of later. What the call said is not believed. */
async function hastenAttempts({ sql, wake }: CalledBackDeps, events: CallbacksEvent['event'][]): Promise<void> {
  const tokens = events.flatMap(event => (event.case === 'makerCalledBack' ? [event.value.attemptToken] : []))
  if (tokens.length === 0) return
  await hastenJobs(sql, attemptJob, [...new Set(tokens)])
  wake()
}
