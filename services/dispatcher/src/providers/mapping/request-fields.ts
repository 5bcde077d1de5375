import { invariant } from '@filmgate/kit/failure'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { HandedMedia } from '../connector'
import { type FieldMapping, type FieldMappings, mappingOf, type RouteMapping, wireValue } from './field-mapping'
import { inputCounts, type OrderValue, orderValues } from './order-values'

/** Fields of an order whose values have no mapping, by the request's names: none, where the fields say all of it. */
export function unmappedFields(fields: FieldMappings, order: Order): string[] {
  const values = orderValues(order).filter(({ field, value }) => !takesValue(fields, field, value))
  const media = [...inputCounts(order)].filter(([field, count]) => !takesMedia(fields, field, count))
  return [...values.map(({ field }) => field), ...media.map(([field]) => field)]
}

/** Whether there is a mapping for this value of a field. */
export function takesValue(fields: FieldMappings, field: string, value: OrderValue['value']): boolean {
  const mapping = mappingOf(fields, field)
  return mapping !== undefined && wireValue(mapping, value) !== undefined
}

/** Whether so many addresses of a field have a place. */
export function takesMedia(fields: FieldMappings, field: string, count: number): boolean {
  const mapping = mappingOf(fields, field)
  return mapping !== undefined && count <= mediaCountMax(mapping)
}

/** How many addresses a mapping has a place for. */
export const mediaCountMax = (mapping: FieldMapping): number => (mapping.field === undefined ? 0 : (mapping.items_max ?? 1))

/** The body of a submit by the provider's names. The route was chosen because it can say the whole order. */
export function requestFields({ fields, always }: RouteMapping, order: Order, media: HandedMedia[]): Record<string, unknown> {
  const values = orderValues(order).flatMap(({ field, value }): [string, unknown][] => {
    const mapping = mappingOf(fields, field)
    const sent = mapping && wireValue(mapping, value)
    invariant(mapping && sent !== undefined, `a route that says ${field} was chosen`)
    return mapping.field === undefined || sent === null ? [] : [[mapping.field, sent]]
  })
  const handed = [...Map.groupBy(media, one => one.field)].map(([field, own]): [string, unknown] => {
    const mapping = mappingOf(fields, field)
    const urls = own.toSorted((a, b) => a.index - b.index).map(({ url }) => url)
    invariant(mapping?.field !== undefined && takesMedia(fields, field, urls.length), `a route that takes ${field} was chosen`)
    return [mapping.field, mapping.items_max === undefined ? urls[0] : urls]
  })
  return { ...always, ...Object.fromEntries([...values, ...handed]) }
}
