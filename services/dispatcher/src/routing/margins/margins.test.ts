import { expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { FieldKind, ModelCardSchema, type PricingSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { PriceItem, PriceUnit } from '@filmgate/proto/gen/filmgate/v1/price_pb'
import { connectFal } from '../../providers/fal/connect-fal'
import { connectSimulator } from '../../providers/simulator/connect-simulator'
import { connectXai } from '../../providers/xai/connect-xai'
import type { RouteCost } from '../route-cost'
import { createRouting, type Route } from '../routing'
import { belowCostSentence, isBelowCost, marginsOf } from './margins'
import { marginRows } from './margins-view'

const bounds = { url: 'http://127.0.0.1:1', key: 'unused', submitTimeoutMs: 1, readTimeoutMs: 1 }
const providers = [
  connectFal(bounds),
  connectXai(bounds),
  connectSimulator({ provider: 'simulator', visibilityMs: 0, firstPollMs: 1, ...bounds }),
]

type Pricing = MessageInitShape<typeof PricingSchema>
const row = (resolution: string, microCredits: bigint) => ({ item: PriceItem.OUTPUT, unit: PriceUnit.SECOND, resolution, microCredits })
const fields = [
  { name: 'duration', kind: FieldKind.INTEGER, min: 4n, max: 6n },
  { name: 'resolution', kind: FieldKind.CHOICE, choices: ['480p', '720p'] },
]
const pictures = { name: 'reference_image_urls', kind: FieldKind.URL_LIST, itemsMax: 7, mediaKind: MediaKind.IMAGE }
/** 0.10 USD a second at 480p, 0.20 at 720p. */
const rows = [row('480p', 10_000_000n), row('720p', 20_000_000n)]
const card = (pricing: Pricing = { rows, creditMicroUsd: 10_000n }) =>
  create(ModelCardSchema, {
    model: 'm',
    modes: [
      { name: 'text-to-video', fields },
      { name: 'media-to-video', fields: [...fields, pictures] },
    ],
    pricing,
  })

const mapped = { duration: { field: 'd', min: 4, max: 15 }, resolution: { field: 'r', values: ['480p', '720p'] } }
const listed = (micro480: number, micro720: number, ...more: NonNullable<RouteCost['prices']>): RouteCost => ({
  ...{ source: 'page', as_of: '2026-11-25' },
  prices: [{ micro_usd: micro480, per: 'second', resolution: '480p' }, { micro_usd: micro720, per: 'second', resolution: '720p' }, ...more],
})
const route = (provider: string, cost: RouteCost | undefined, changes: Partial<Route> = {}): Route => ({
  ...{ provider, mode: 'text-to-video', model: 'theirs', fields: mapped, ...(cost && { cost }) },
  ...changes,
})
const margins = (routes: Route[], own = card()) =>
  marginsOf(own, createRouting({ default: [], models: { m: routes } }, providers).configuredRoutes('m'))

test('a price below what any configured route costs is found, by mode, resolution and provider', () => {
  const found = margins([route('fal', listed(80_000, 190_000)), route('xai', listed(90_000, 210_000)), route('absent', listed(1e6, 1e6))])
  expect(
    found.map(({ provider, asked, priceMicroUsd, costMicroUsd }) => [provider, asked.resolution, priceMicroUsd, costMicroUsd]),
  ).toEqual([
    ['fal', '480p', 400_000, 320_000],
    ['fal', '720p', 800_000, 760_000],
    ['xai', '480p', 400_000, 360_000],
    ['xai', '720p', 800_000, 840_000],
  ])
  expect(found.filter(isBelowCost).map(belowCostSentence)).toEqual(['text-to-video 720p: 4 s cost 0.84 USD at xai and are sold for 0.8'])
})

test('the case that leaves the least counts: the shortest video of the most images', () => {
  const withImages = { mode: 'media-to-video', fields: { ...mapped, reference_image_urls: { field: 'images', items_max: 5 } } }
  const cost = listed(95_000, 190_000, { micro_usd: 10_000, per: 'input_image' })
  const [first] = margins([route('fal', cost, withImages)])
  expect(first).toMatchObject({ asked: { duration: 4, images: 5 }, priceMicroUsd: 400_000, costMicroUsd: 430_000 })
  expect(belowCostSentence(first as NonNullable<typeof first>)).toBe(
    'media-to-video 480p: 4 s of 5 images cost 0.43 USD at fal and are sold for 0.4',
  )
})

test('what the price book excepts by name is no fault, and its reason is shown', () => {
  const cost = listed(110_000, 210_000)
  const belowCost = [{ resolution: '480p', reason: 'a trial' }]
  const found = margins([route('fal', cost)], card({ rows, belowCost }))
  expect(found.filter(isBelowCost).map(({ asked }) => asked.resolution)).toEqual(['720p'])
  expect(marginRows(found)[0]).toMatchObject({ margin_micro_usd: -40_000, margin_percent: -10, reason: 'a trial' })
})

test('a worth of a credit that the catalog doesn’t say is a cent', () => {
  const priceOf = (creditMicroUsd: bigint) => margins([route('fal', listed(1, 1))], card({ rows, creditMicroUsd }))[0]?.priceMicroUsd
  expect([priceOf(0n), priceOf(10_000n), priceOf(20_000n)]).toEqual([400_000, 400_000, 800_000])
})

test('what nobody knows has its reason, a stand-in costs nothing, and a route that says nothing is named', () => {
  const unknown = { unknown: 'no page', as_of: '2026-11-25' }
  const partly = { ...unknown, source: 'page' as const, prices: [{ micro_usd: 1, per: 'second' as const, resolution: '480p' }] }
  const basesOf = (routes: Route[]) =>
    margins(routes).map(({ provider, asked, basis, reason }) => [provider, asked.resolution, basis, reason])
  expect(basesOf([route('fal', unknown), route('xai', undefined)])).toEqual([
    ['fal', '480p', 'unknown', 'no page'],
    ['fal', '720p', 'unknown', 'no page'],
    ['xai', '480p', 'unnamed', null],
    ['xai', '720p', 'unnamed', null],
  ])
  expect(basesOf([route('fal', partly)])).toEqual([
    ['fal', '480p', 'listed', null],
    ['fal', '720p', 'unknown', 'no page'],
  ])
  expect(new Set(basesOf([{ provider: 'simulator' }]).map(([, , basis]) => basis))).toEqual(new Set(['nothing']))
})

test('a row of the table is of a model, a resolution and a provider: the least of what is known, and how much is not', () => {
  const withImages = { mode: 'media-to-video', fields: { ...mapped, reference_image_urls: { field: 'images', items_max: 5 } } }
  const table = marginRows(
    margins([route('fal', listed(50_000, 50_000)), route('fal', { unknown: 'no page', as_of: '2026-11-25' }, withImages)]),
  )
  expect(
    table.map(({ resolution, mode, margin_percent, cases, cases_unknown }) => [resolution, mode, margin_percent, cases, cases_unknown]),
  ).toEqual([
    ['480p', 'text-to-video', 50, 2, 1],
    ['720p', 'text-to-video', 75, 2, 1],
  ])
})
