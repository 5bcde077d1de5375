import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from './read-routes'
import { costOf, type Price } from './route-cost'

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

test('the price of a maker’s unit is no price of an order', () => {
  const cost = { unit_micro_usd: 10_000, source: 'second-hand' as const, as_of: '2026-10-08' }
  expect(costOf(cost, create(OrderSchema, order))).toEqual({ listedMicroUsd: null, unitMicroUsd: 10_000 })
})

test('of the routes’ prices none contradicts one before it, and each has its day', () => {
  const costs = Object.values(readRoutes(undefined).models).flatMap(routes => routes.flatMap(({ cost }) => cost ?? []))
  expect(costs.length).toBeGreaterThan(20)
  for (const { prices = [], unit_micro_usd: unit, as_of: day } of costs) {
    expect(prices.length > 0 || unit !== undefined).toBe(true)
    expect(Date.parse(day)).toBeLessThan(Date.parse('2026-12-01'))
    const cases = prices.map(({ resolution, duration, audio }) => JSON.stringify([resolution, duration, audio]))
    expect(new Set(cases).size).toBe(cases.length)
  }
})
