import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { CreditsEvent } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { MediaEvent, VerifiedMedia } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/** An order whose turn has come: its credits are reserved and its media, if it has any, are verified. */
export type ReadyOrder = { order: Order; media: VerifiedMedia[]; traceparent: string | undefined }

export type LineEvent = CreditsEvent['event'] | MediaEvent['event']

/** Reserved credits alone are enough only for an order without media. Everything else on these topics is not ours. */
export function readyOrder(event: LineEvent, traceparent: string | undefined): ReadyOrder | undefined {
  if (event.case === 'creditsReserved' && event.value.order && event.value.order.inputs.length === 0)
    return { order: event.value.order, media: [], traceparent }
  if (event.case === 'mediaVerified' && event.value.order) return { order: event.value.order, media: event.value.media, traceparent }
  return undefined
}

export const admitByMs = (order: Order): number => (order.admitBy ? timestampMs(order.admitBy) : 0)
