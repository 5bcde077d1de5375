import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import type { VerifiedMedia } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { type Order, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { decode, topics } from '@filmgate/proto/topics'

/** The event that brings an order, as it came. */
export type OrderEvent = { topic: 'credits' | 'media'; bytes: Uint8Array }

/** An order whose turn has come: its credits are reserved and its media, if it has any, are verified. */
export type ReadyOrder = { order: Order; media: VerifiedMedia[]; source: OrderEvent; traceparent: string | undefined }

/**
 * The order that an event brings: of reserved credits only an order without media, which waits for nothing else. Undefined for every other
 * event of these topics. Throws on bytes that are no event.
 */
export function readOrder(source: OrderEvent): Omit<ReadyOrder, 'traceparent'> | undefined {
  if (source.topic === 'credits') {
    const { event } = decode(topics.credits.schema, source.bytes)
    const order = event.case === 'creditsReserved' ? event.value.order : undefined
    return order && order.inputs.length === 0 ? { order, media: [], source } : undefined
  }
  const { event } = decode(topics.media.schema, source.bytes)
  if (event.case !== 'mediaVerified' || !event.value.order) return undefined
  return { order: event.value.order, media: event.value.media, source }
}

/** The order as it is kept with an attempt until its output is there: without what its client wrote and where its media are. */
export function encodeTerms(of: Order): Uint8Array {
  const { durationSeconds, resolution, aspectRatio, generateAudio, inputs, prices, priceVersion, credits } = of
  const order = { durationSeconds, resolution, aspectRatio, prices, priceVersion, credits }
  const kept = inputs.map(({ kind, declaredSeconds }) => ({ kind, declaredSeconds }))
  return toBinary(OrderSchema, create(OrderSchema, { ...order, inputs: kept, ...(generateAudio !== undefined && { generateAudio }) }))
}

export const decodeTerms = (bytes: Uint8Array): Order => fromBinary(OrderSchema, bytes)
