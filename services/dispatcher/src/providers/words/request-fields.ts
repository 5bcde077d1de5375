import { invariant } from '@filmgate/kit/failure'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { HandedMedia } from '../connector'
import { inputCounts, type OrderValue, orderValues } from './order-values'
import { type RouteWords, type Word, type Words, wireValue, wordFor } from './words'

/** Fields of an order whose values have no word, by the request's names: none, where the words say all of it. */
export function fieldsWithoutWord(words: Words, order: Order): string[] {
  const values = orderValues(order).filter(({ field, value }) => !takesValue(words, field, value))
  const media = [...inputCounts(order)].filter(([field, count]) => !takesMedia(words, field, count))
  return [...values.map(({ field }) => field), ...media.map(([field]) => field)]
}

/** Whether there is a word for this value of a field. */
export function takesValue(words: Words, field: string, value: OrderValue['value']): boolean {
  const word = wordFor(words, field)
  return word !== undefined && wireValue(word, value) !== undefined
}

/** Whether so many addresses of a field have a place. */
export function takesMedia(words: Words, field: string, count: number): boolean {
  const word = wordFor(words, field)
  return word !== undefined && count <= placesForMedia(word)
}

/** How many addresses a word has a place for. */
export const placesForMedia = (word: Word): number => (word.field === undefined ? 0 : (word.items_max ?? 1))

/** The body of a submit in the provider's words. The route was chosen because it can say the whole order. */
export function requestFields({ words, always }: RouteWords, order: Order, media: HandedMedia[]): Record<string, unknown> {
  const values = orderValues(order).flatMap(({ field, value }): [string, unknown][] => {
    const word = wordFor(words, field)
    const sent = word && wireValue(word, value)
    invariant(word && sent !== undefined, `a route that says ${field} was chosen`)
    return word.field === undefined || sent === null ? [] : [[word.field, sent]]
  })
  const handed = [...Map.groupBy(media, one => one.field)].map(([field, own]): [string, unknown] => {
    const word = wordFor(words, field)
    const urls = own.toSorted((a, b) => a.index - b.index).map(({ url }) => url)
    invariant(word?.field !== undefined && takesMedia(words, field, urls.length), `a route that takes ${field} was chosen`)
    return [word.field, word.items_max === undefined ? urls[0] : urls]
  })
  return { ...always, ...Object.fromEntries([...values, ...handed]) }
}
