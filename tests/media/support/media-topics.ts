import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createBus } from '@filmgate/kit/bus/bus'
import { applyTopics } from '@filmgate/kit/bus/topics/topics'
import { servers, testLog } from '@filmgate/kit/testing'
import type { MediaEvent, MediaRejected, MediaVerified } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { decode, encode, topicName, topicPlan, topics } from '@filmgate/proto/topics'

export type Outcome =
  | { code: 'verified'; verified: MediaVerified; rejected?: undefined }
  | { code: string; rejected: MediaRejected; verified?: undefined }

export type MediaTopics = {
  prefix: string
  /** Says that the orders' credits are reserved. */
  reserve(orders: Order[]): Promise<void>
  /** Says how the task's generation ended. */
  end(order: Order, how: 'generationRefused' | 'generationCompleted' | 'generationFailed'): Promise<void>
  outcome(order: Order, timeoutMs?: number): Promise<Outcome>
  /** Every decision ever seen of a task: more than one is a fault. */
  outcomes(order: Order): Outcome[]
  stop(): Promise<void>
}

/** Topics of one's own: this end plays the ledger and the dispatcher, and hears what media-probe decides. */
export async function openMediaTopics(prefix: string): Promise<MediaTopics> {
  const brokers = servers.kafkaBrokers
  await applyTopics({ brokers, replicas: 1, plan: topicPlan(prefix, 4).filter(({ topic }) => /credits|media|generations/.test(topic)) })
  const bus = createBus({ brokers, clientId: 'media-tests', log: testLog })
  const seen = new Map<string, Outcome[]>()
  const waiting = new Map<string, (outcome: Outcome) => void>()

  function hear({ event }: MediaEvent): void {
    if (event.case === undefined) return
    const outcome: Outcome =
      event.case === 'mediaVerified' ? { code: 'verified', verified: event.value } : { code: event.value.code, rejected: event.value }
    const taskId = event.case === 'mediaVerified' ? (event.value.order?.taskId ?? '') : event.value.taskId
    seen.set(taskId, [...(seen.get(taskId) ?? []), outcome])
    waiting.get(taskId)?.(outcome)
  }

  bus.consume({
    group: `${prefix}.tests`,
    topics: { [topicName(prefix, 'media')]: bytes => decode(topics.media.schema, bytes) },
    handle: async messages => {
      for (const { event } of messages) hear(event)
    },
  })

  return {
    prefix,
    async reserve(orders) {
      const at = timestampFromDate(new Date())
      await bus.publish(
        orders.map(order => ({
          topic: topicName(prefix, 'credits'),
          key: order.accountId,
          value: encode(topics.credits.schema, {
            event: { case: 'creditsReserved', value: { order, available: 1000n, balanceVersion: 1n, at } },
          }),
        })),
      )
    },
    async end({ taskId, accountId }, how) {
      const value = encode(topics.generations.schema, {
        event: { case: how, value: { taskId, accountId, at: timestampFromDate(new Date()) } },
      })
      await bus.publish([{ topic: topicName(prefix, 'generations'), key: accountId, value }])
    },
    outcome({ taskId }, timeoutMs = 60_000) {
      const first = seen.get(taskId)?.[0]
      if (first) return Promise.resolve(first)
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      const timer = setTimeout(() => reject(new Error(`no decision about ${taskId} within ${timeoutMs} ms`)), timeoutMs)
      waiting.set(taskId, outcome => {
        clearTimeout(timer)
        resolve(outcome)
      })
      return promise
    },
    outcomes: ({ taskId }) => seen.get(taskId) ?? [],
    stop: bus.stop,
  }
}
