import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Incoming } from '@filmgate/kit/bus/bus'
import { type CreditsEvent, CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { type GenerationsEvent, GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { MediaKind, type Order, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/** A newly reserved order with one picture. */
export const testOrder = (changes: MessageInitShape<typeof OrderSchema> = {}): Order =>
  create(OrderSchema, {
    taskId: `vt_${crypto.randomUUID()}`,
    accountId: `acc_${crypto.randomUUID()}`,
    inputs: [{ kind: MediaKind.IMAGE, field: 'image_url', url: 'https://media.example/a.png' }],
    admitBy: timestampFromDate(new Date(Date.now() + 250_000)),
    ...changes,
  })

const incoming = <T>(event: T): Incoming<T> => ({
  topic: '',
  partition: 0,
  offset: '0',
  key: '',
  eventId: '',
  traceparent: undefined,
  timestampMs: 0,
  event,
})

export const reserved = (order: Order): Incoming<CreditsEvent> =>
  incoming(create(CreditsEventSchema, { event: { case: 'creditsReserved', value: { order } } }))

export const ended = (taskId: string, how: 'generationRefused' | 'generationCompleted' | 'generationFailed'): Incoming<GenerationsEvent> =>
  incoming(create(GenerationsEventSchema, { event: { case: how, value: { taskId } } }))
