import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/** One field of a request and its value; of media, how many there are. */
export type OrderValue = { field: string; value: string | number | boolean }

/** Everything an order asks of a maker beside its mode, under the names that requests and cards have. */
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
  ]
}

/** How many inputs an order has in each of its media fields. */
export const inputCounts = ({ inputs }: Order): Map<string, number> =>
  new Map([...Map.groupBy(inputs, ({ field }) => field)].map(([field, own]) => [field, own.length]))
