import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { scalarValue } from '@filmgate/proto/scalar'

/** One field of a request and its value. Undefined: of a kind that only a later version knows, and that no provider is asked for. */
export type OrderValue = { field: string; value: string | number | boolean | undefined }

/**
 * Everything an order asks of a provider beside its mode and its inputs, under the names that requests and cards have. A new field is in
 * `order.values` and needs nothing here; one with a place of its own in `Order` is named here, which order-values.test.ts watches.
 */
export function orderValues(order: Order): OrderValue[] {
  const { seed, generateAudio } = order
  return [
    { field: 'prompt', value: order.prompt },
    { field: 'duration', value: order.durationSeconds },
    { field: 'resolution', value: order.resolution },
    { field: 'aspect_ratio', value: order.aspectRatio },
    ...(seed === undefined ? [] : [{ field: 'seed', value: Number(seed) }]),
    ...(generateAudio === undefined ? [] : [{ field: 'generate_audio', value: generateAudio }]),
    { field: 'watermark', value: order.watermark },
    ...Object.entries(order.values).map(([field, scalar]) => ({ field, value: scalarValue(scalar) })),
  ]
}

/** How many inputs an order has in each of its media fields. */
export const inputCounts = ({ inputs }: Order): Map<string, number> =>
  new Map([...Map.groupBy(inputs, ({ field }) => field)].map(([field, own]) => [field, own.length]))
