import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ownRoutes } from '../config'
import { readRoutes } from './read-routes'
import { costFaults, costOf, type Price } from './route-cost'

const order = { durationSeconds: 5, resolution: '720p', generateAudio: false }
const listed = (prices: Price[], changes: object = {}) =>
  costOf({ prices, source: 'page', as_of: '2026-11-23' }, create(OrderSchema, { ...order, ...changes })).listedMicroUsd

test('a price is of the orders that have all that it names, the first of several', () => {
  const prices: Price[] = [
    { micro_usd: 84_000, per: 'second', resolution: '720p', audio: false },
    { micro_usd: 126_000, per: 'second', resolution: '720p', audio: true },
    { micro_usd: 490_000, per: 'generation', resolution: '1080p', duration: 6 },
    { micro_usd: 1, per: 'second', resolution: '720p' },
  ]
  expect(listed(prices)).toBe(420_000)
  expect(listed(prices, { generateAudio: true })).toBe(630_000)
  expect(listed(prices, { generateAudio: undefined })).toBe(5)
  expect(listed(prices, { resolution: '1080p', durationSeconds: 6 })).toBe(490_000)
  expect(listed(prices, { resolution: '1080p' })).toBeNull()
  expect(listed(prices, { resolution: '4k' })).toBeNull()
})

test('by the second counts what the client is charged for: the length of a motion where that is it', () => {
  const prices: Price[] = [{ micro_usd: 100_000, per: 'second' }]
  expect(listed(prices, { billedSeconds: 8, durationSeconds: 0 })).toBe(800_000)
  expect(listed(prices, { durationSeconds: 0 })).toBeNull()
})

test('the price of a provider’s unit is no price of an order', () => {
  const cost = { unit_micro_usd: 10_000, source: 'second-hand' as const, as_of: '2026-10-08' }
  expect(costOf(cost, create(OrderSchema, order))).toEqual({ listedMicroUsd: null, unitMicroUsd: 10_000 })
})

test('a million tokens are as many seconds as take them', () => {
  const prices: Price[] = [{ micro_usd: 14_000_000, per: 'million_tokens', tokens_per_second: 21_600, resolution: '720p' }]
  expect(listed(prices)).toBe(1_512_000)
  expect(listed(prices, { durationSeconds: 0 })).toBeNull()
})

test('input images and seconds of reference video come on top, and a price may be for orders with such videos', () => {
  const images = (count: number) => Array.from({ length: count }, (_, index) => ({ kind: MediaKind.IMAGE, index }))
  const video = { kind: MediaKind.VIDEO, declaredSeconds: 4 }
  const prices: Price[] = [
    { micro_usd: 80_000, per: 'second', videos: false },
    { micro_usd: 60_000, per: 'second' },
    { micro_usd: 10_000, per: 'input_image', free: 2 },
    { micro_usd: 30_000, per: 'input_second' },
  ]
  expect(listed(prices, { inputs: images(1) })).toBe(400_000)
  expect(listed(prices, { inputs: images(5) })).toBe(430_000)
  expect(listed(prices, { inputs: [...images(3), video, video] })).toBe(300_000 + 10_000 + 240_000)
  expect(listed([{ micro_usd: 10_000, per: 'input_image' }], { inputs: images(1) })).toBeNull()
})

test('a unit may have a price by resolution, before the one of all', () => {
  const cost = {
    prices: [{ micro_usd: 130_000, per: 'unit' as const, resolution: '2k' }],
    unit_micro_usd: 80_000,
    source: 'page' as const,
    as_of: '2026-11-25',
  }
  const unitOf = (resolution: string) => costOf(cost, create(OrderSchema, { ...order, resolution })).unitMicroUsd
  expect([unitOf('2k'), unitOf('720p')]).toEqual([130_000, 80_000])
})

test('a cost names a price or why there is none, and prices have a source', () => {
  const as_of = '2026-11-25'
  expect(costFaults({ as_of })).toEqual(['names neither a price nor `unknown`'])
  expect(costFaults({ as_of, unknown: 'no page' })).toEqual([])
  expect(costFaults({ as_of, prices: [{ micro_usd: 1, per: 'million_tokens' }] })).toEqual([
    'names prices without their source',
    'tokens_per_second goes with million_tokens, and with nothing else',
  ])
})

test('every route that makes real videos names its cost or why nobody knows it, and none of its prices contradicts one before it', () => {
  const routes = Object.values(readRoutes([ownRoutes]).models)
    .flat()
    .filter(({ provider }) => provider !== 'simulator')
  expect(routes.filter(({ cost }) => cost === undefined).map(({ provider, model }) => `${provider} ${model}`)).toEqual([])
  for (const { cost } of routes) {
    expect(Date.parse(cost?.as_of ?? '')).toBeLessThan(Date.parse('2026-12-01'))
    const what = (per: string) => (['second', 'generation', 'million_tokens'].includes(per) ? 'video' : per)
    const cases = (cost?.prices ?? []).map(({ micro_usd: _, free: __, per, ...rest }) => JSON.stringify([what(per), rest]))
    expect(new Set(cases).size).toBe(cases.length)
  }
})
