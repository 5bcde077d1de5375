import { afterAll, beforeAll, expect, test } from 'bun:test'
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { createBus } from '@filmgate/kit/bus/bus'
import { applyTopics } from '@filmgate/kit/bus/topics/topics'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { servers, testLog, until } from '@filmgate/kit/testing'
import { CatalogEventSchema, FieldKind, type ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { PriceItem, PriceUnit } from '@filmgate/proto/gen/filmgate/v1/price_pb'
import { topicName, topicPlan } from '@filmgate/proto/topics'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { checkCards } from './check-cards'
import { createLiveRouting, type LiveRouting, type RouteState } from './live-routing'
import { createRouting } from './routing'

const bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'check-cards-test', log: testLog })
beforeAll(() => until('the broker answers', bus.connected))
afterAll(() => bus.stop())

const options = {
  url: 'http://127.0.0.1:1',
  key: 'unused',
  visibilityMs: 0,
  firstPollMs: 1_000,
  submitTimeoutMs: 1,
  readTimeoutMs: 1,
}
const providers = ['simulator', 'second'].map(provider => connectSimulator({ provider, ...options }))
const routing = createRouting(
  {
    default: [{ provider: 'simulator' }],
    models: {
      orphan: [{ provider: 'absent' }],
      lean: [{ provider: 'simulator' }],
      alone: [{ provider: 'absent' }, { provider: 'simulator' }],
      beside: [{ provider: 'simulator' }, { provider: 'second' }],
    },
    lacks: { lean: ['resolution 8k'] },
    lacks_at: { simulator: { alone: ['resolution 8k'], beside: ['resolution 8k'] } },
  },
  providers,
)

async function catalogOf(cards: MessageInitShape<typeof ModelCardSchema>[], inForce: LiveRouting = createLiveRouting(routing)) {
  const topicPrefix = `test-${crypto.randomUUID()}`
  await applyTopics({ brokers: servers.kafkaBrokers, replicas: 1, plan: topicPlan(topicPrefix, 1).filter(one => one.compacted) })
  const publish = (card: MessageInitShape<typeof ModelCardSchema>) => {
    const value = toBinary(CatalogEventSchema, create(CatalogEventSchema, { event: { case: 'modelCard', value: card } }))
    return bus.publish([{ topic: topicName(topicPrefix, 'catalog'), key: card.model ?? '', value }])
  }
  for (const card of cards) await publish(card)
  return { check: checkCards({ bus, topicPrefix, routing: inForce, log: testLog }), publish }
}

const sound = {
  model: 'sound',
  modes: [{ name: 'text-to-video', fields: [{ name: 'resolution', kind: FieldKind.CHOICE, choices: ['768p'] }] }],
}
const odd = { model: 'odd', modes: [{ name: 'text-to-video', fields: [{ name: 'resolution', kind: FieldKind.CHOICE, choices: ['8k'] }] }] }

test('cards that can all be dispatched, or none yet, pass', async () => {
  for (const { check } of [await catalogOf([sound]), await catalogOf([])]) {
    await until('the cards have passed', check.passed)
    await check.stop()
  }
})

test('a card value without a mapping at any provider keeps the dispatcher unready', async () => {
  const { check, publish } = await catalogOf([sound, odd])
  await until('the fault is counted', async () => (await metricsText()).includes('dispatcher_unrouted_card_values{model="odd"} 1'))
  expect(check.passed()).toBe(false)
  await publish({ ...sound, model: 'odd' })
  await until('the mended card passes', check.passed)
  await check.stop()
})

test('a value that the routing files say may lack a mapping is no fault', async () => {
  const { check } = await catalogOf([{ ...odd, model: 'lean' }])
  await until('the card passes', check.passed)
  await check.stop()
})

test('a value that may lack a mapping at one provider is no fault where that provider is alone, and is one where another is on that has to have it', async () => {
  const { check, publish } = await catalogOf([{ ...odd, model: 'alone' }])
  await until('the card passes', check.passed)
  await publish({ ...odd, model: 'beside' })
  await until('the fault is counted', async () => (await metricsText()).includes('dispatcher_unrouted_card_values{model="beside"} 1'))
  await check.stop()
})

test('a card none of whose providers is configured keeps nothing back, unless every card is so', async () => {
  const orphan = { model: 'orphan', modes: [] }
  const { check, publish } = await catalogOf([orphan])
  await until('it is counted', async () => (await metricsText()).includes('dispatcher_models_unserved 1'))
  expect(check.passed()).toBe(false)
  await publish(sound)
  await until('the rest passes', check.passed)
  await check.stop()
})

test('a fault that comes later takes no running dispatcher out', async () => {
  const { check, publish } = await catalogOf([sound])
  await until('the cards have passed', check.passed)
  await publish({ ...odd, model: 'late' })
  await until('the fault is counted', async () => (await metricsText()).includes('dispatcher_unrouted_card_values{model="late"} 1'))
  expect(check.passed()).toBe(true)
  await check.stop()
})

test('other routes are judged by the fields they would take away, and cards anew once they are in force', async () => {
  const live = createLiveRouting(routing)
  const { check } = await catalogOf([sound, { ...odd, model: 'faulty' }], live)
  await until('the fault is counted', async () => (await metricsText()).includes('dispatcher_unrouted_card_values{model="faulty"} 1'))
  const poorer = connectSimulator({ provider: 'simulator', ...options })
  poorer.fields = { ...poorer.fields, resolution: { field: 'resolution', values: ['8k'] } }
  const next = createRouting({ default: [{ provider: 'simulator' }], models: {} }, [poorer])
  expect([check.faultsWith(routing), check.faultsWith(next)]).toEqual([
    [],
    ['sound: text-to-video resolution 768p has no mapping at simulator'],
  ])
  const isOffered = () => check.offers().get('sound')?.available
  expect(isOffered()).toBe(true)
  live.replace(next)
  check.lookAgain()
  expect(isOffered()).toBe(false)
  const metrics = await metricsText()
  expect(metrics).toContain('dispatcher_unrouted_card_values{model="faulty"} 0')
  expect(metrics).toContain('dispatcher_unrouted_card_values{model="sound"} 1')
  await check.stop()
})

test('what a provider serves, and what of it has no mapping there, is told card by card', async () => {
  const { check } = await catalogOf([sound, { ...odd, model: 'lean' }, { ...odd, model: 'beside' }, { model: 'orphan', modes: [] }])
  await until('the cards are read', async () => check.servedBy('simulator').length === 3)
  const lacks = ['text-to-video resolution 8k']
  const served = (provider: string) => check.servedBy(provider).toSorted((a, b) => (a.model < b.model ? -1 : 1))
  expect(served('simulator')).toEqual([
    { model: 'beside', lacks },
    { model: 'lean', lacks },
    { model: 'sound', lacks: [] },
  ])
  expect([served('second'), served('absent')]).toEqual([[{ model: 'beside', lacks }], []])
  await check.stop()
})

const priced = (model: string, microCredits: bigint) => ({
  model,
  modes: [
    {
      name: 'text-to-video',
      fields: [
        { name: 'duration', kind: FieldKind.INTEGER, integers: [5n] },
        { name: 'resolution', kind: FieldKind.CHOICE, choices: ['480p', '768p'] },
      ],
    },
  ],
  pricing: {
    rows: [
      { item: PriceItem.OUTPUT, unit: PriceUnit.SECOND, resolution: '480p', microCredits: 50_000_000n },
      { item: PriceItem.OUTPUT, unit: PriceUnit.SECOND, resolution: '768p', microCredits },
    ],
    creditMicroUsd: 10_000n,
  },
})
/** 0.10 USD a second. */
const costly = createRouting(
  {
    default: [{ provider: 'simulator', cost: { source: 'page', as_of: '2026-11-25', prices: [{ micro_usd: 100_000, per: 'second' }] } }],
    models: {},
  },
  providers,
)

test('a price below the cost of a route keeps the dispatcher unready, by name', async () => {
  const { check, publish } = await catalogOf([priced('cheap', 9_000_000n)], createLiveRouting(costly))
  await until('it is counted', async () => (await metricsText()).includes('dispatcher_prices_below_cost{model="cheap"} 1'))
  expect(check.passed()).toBe(false)
  expect(check.margins().map(({ asked, priceMicroUsd, costMicroUsd }) => [asked.resolution, priceMicroUsd, costMicroUsd])).toEqual([
    ['480p', 2_500_000, 500_000],
    ['768p', 450_000, 500_000],
  ])
  await publish(priced('cheap', 10_000_000n))
  await until('the mended price passes', check.passed)
  await check.stop()
})

test('a price that falls below the cost later is no longer offered, and takes no running dispatcher out', async () => {
  const { check, publish } = await catalogOf([priced('falls', 10_000_000n)], createLiveRouting(costly))
  await until('the cards have passed', check.passed)
  expect(check.offers().get('falls')).toEqual({ model: 'falls', available: true, unoffered: [] })
  await publish({ ...priced('falls', 9_000_000n), pricing: { ...priced('falls', 9_000_000n).pricing, creditMicroUsd: 10_000n } })
  await until('it is counted', async () => (await metricsText()).includes('dispatcher_prices_below_cost{model="falls"} 1'))
  expect(check.offers().get('falls')).toEqual({
    model: 'falls',
    available: true,
    unoffered: [{ mode: 'text-to-video', field: 'resolution', choices: ['768p'], integers: [], booleans: [] }],
  })
  expect(check.passed()).toBe(true)
  await check.stop()
})

test('routes that would cost more than their price are not put in force, and the worth of a credit is the catalog’s', async () => {
  const { check, publish } = await catalogOf([priced('sold', 9_000_000n)])
  await until('the cards have passed', check.passed)
  expect([check.faultsWith(costly), check.creditMicroUsd()]).toEqual([
    ['sold: text-to-video 768p: 5 s cost 0.5 USD at simulator and are sold for 0.45'],
    10_000,
  ])
  await publish({ ...priced('sold', 9_000_000n), pricing: { ...priced('sold', 9_000_000n).pricing, creditMicroUsd: 20_000n } })
  await until('a credit is worth more', () => check.creditMicroUsd() === 20_000)
  expect(check.faultsWith(costly)).toEqual([])
  await check.stop()
})

test('a card is offered by what is open; by a provider that is held only while one order may try it; its faults stay those of all its routes', async () => {
  const states: Record<string, RouteState> = {}
  const live = createLiveRouting(routing, ({ provider }) => states[provider] ?? 'open')
  const { check } = await catalogOf([{ ...sound, model: 'beside' }, sound], live)
  await until('the cards are read', () => check.passed())
  const offered = (changed: Record<string, RouteState>) => {
    Object.assign(states, changed)
    check.offerAgain()
    return ['beside', 'sound'].map(model => {
      const { available, ordersMax } = check.offers().get(model) ?? {}
      return [available, ordersMax]
    })
  }
  expect(offered({})).toEqual([
    [true, undefined],
    [true, undefined],
  ])
  expect(offered({ simulator: 'held' })).toEqual([
    [true, undefined],
    [false, undefined],
  ])
  expect(offered({ simulator: 'probe' })).toEqual([
    [true, undefined],
    [true, 1],
  ])
  expect(offered({ second: 'held' })).toEqual([
    [true, 1],
    [true, 1],
  ])
  check.lookAgain()
  expect([check.faultsWith(routing), check.servedBy('second').length, check.offers().get('beside')?.ordersMax]).toEqual([[], 1, 1])
  await check.stop()
})
