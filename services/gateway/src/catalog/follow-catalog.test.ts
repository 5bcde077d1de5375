import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { createBus } from '@filmgate/kit/bus/bus'
import { applyTopics } from '@filmgate/kit/bus/topics/topics'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { servers, testLog, until } from '@filmgate/kit/testing'
import type { ModelOfferSchema } from '@filmgate/proto/gen/filmgate/v1/offers_pb'
import { encode, topicName, topicPlan, topics } from '@filmgate/proto/topics'
import { createCatalogTable } from './catalog-table'
import { followCatalog } from './follow-catalog'
import { testCard } from './testing/cards'

const bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'follow-catalog-test', log: testLog })
beforeAll(() => until('the broker answers', bus.connected))
afterAll(() => bus.stop())

/** Two models, and a gateway's table of them; `without` a topic that is not there. */
async function follow(without?: 'offers') {
  const prefix = `test-${crypto.randomUUID()}`
  const plan = topicPlan(prefix, 1).filter(({ topic, compacted }) => compacted && (!without || topic !== topicName(prefix, without)))
  await applyTopics({ brokers: servers.kafkaBrokers, replicas: 1, plan })
  const publish = (topic: 'catalog' | 'offers', key: string, value: Uint8Array | null) =>
    bus.publish([{ topic: topicName(prefix, topic), key, value }])
  const models = ['test-1', 'test-2']
  for (const model of models)
    await publish('catalog', model, encode(topics.catalog.schema, { event: { case: 'modelCard', value: testCard({ model }) } }))
  const index = { models, defaultModel: 'test-1', priceVersion: 'p1' }
  await publish('catalog', '_index', encode(topics.catalog.schema, { event: { case: 'catalogIndex', value: index } }))
  const offer = (value: MessageInitShape<typeof ModelOfferSchema>) =>
    publish('offers', value.model ?? '', encode(topics.offers.schema, { event: { case: 'modelOffer', value } }))
  const table = createCatalogTable(testLog)
  const start = () => followCatalog(bus, prefix, table)
  const available = () => table.loaded() && [...table.current().models.values()].map(model => model.available).join()
  return { table, start, offer, available, takeBack: (model: string) => publish('offers', model, null) }
}

test('offers are read from the beginning and followed; without one a card is whole, and what is not available is counted', async () => {
  const { table, start, offer, available, takeBack } = await follow()
  await offer({ model: 'test-1', available: false })
  const followed = start()
  await until('the offer is in force', () => available() === 'false,true')
  expect(await metricsText()).toMatch(/^catalog_models_unavailable 1$/m)
  await offer({ model: 'test-2', available: true, unoffered: [{ mode: 'image-to-video' }] })
  await until('the mode is gone', () => table.current().models.get('test-2')?.modes.size === 2)
  await takeBack('test-1')
  await until('it is offered again', () => available() === 'true,true')
  await followed.stop()
})

test('a gateway that hears nothing of offers offers every card whole', async () => {
  const { table, start, available } = await follow('offers')
  const followed = start()
  await until('the catalog is in force', table.loaded)
  expect(available()).toBe('true,true')
  await followed.stop()
})
