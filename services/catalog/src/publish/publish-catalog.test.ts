import { afterEach, beforeEach, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bus, createBus } from '@filmgate/kit/bus/bus'
import { servers, type TestTopic, testLog, testTopic, until } from '@filmgate/kit/testing'
import type { CatalogIndex } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { decode, topics } from '@filmgate/proto/topics'
import { type Catalog, loadCatalog } from '../catalog/load-catalog'
import { catalogFiles } from '../config'
import { keepPublished } from './keep-published'
import { isPublished, publishCatalog } from './publish-catalog'
import { followPublished, type PublishedView, versionsOf } from './published-view'

let bus: Bus
let topic: TestTopic
let reader: PublishedView
let dir: string
let prices: string
let extra: string

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'filmgate-catalog-'))
  prices = join(dir, 'prices.yaml')
  extra = join(dir, 'cards')
  mkdirSync(extra)
  writeFileSync(prices, "version: '2027-01'\n")
  topic = await testTopic(1, true)
  bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'catalog-test', log: testLog })
  reader = followPublished(bus, topic.name)
})
afterEach(async () => {
  await bus.stop()
  await topic.drop()
  rmSync(dir, { recursive: true })
})

/** The service's loop on a folder of this test. */
function startKeeper() {
  const files = catalogFiles({ extraCardsDir: extra, pricesFile: prices })
  const published = followPublished(bus, topic.name)
  const deps = { bus, topic: topic.name, published, log: testLog, nowMs: () => 0 }
  const publish = (catalog: Catalog) => publishCatalog(deps, catalog)
  return keepPublished({ files, first: loadCatalog(files), publish, published, checkFilesEveryMs: 50, log: testLog })
}

const card = join(import.meta.dir, '..', '..', 'models', 'alpha-h3.yaml')
const priceVersion = () => reader.index()?.priceVersion ?? ''

test('cards and changes reach the topic, faulty files change nothing, and removed cards are deleted', async () => {
  const keeper = startKeeper()
  await until('the cards arrive', () => reader.index()?.models.length === 29 && reader.versions.size === 29)
  expect(priceVersion()).toStartWith('2027-01-')
  const before = priceVersion()

  writeFileSync(prices, "version: '2027-02'\nmargin: 2\n")
  await until('the new prices arrive', () => priceVersion().startsWith('2027-02-'))
  expect(priceVersion().slice(-8)).not.toBe(before.slice(-8))

  cpSync(card, join(extra, 'alpha-h9.yaml'))
  await until('a second alpha-h3 is rejected', () => !keeper.areFilesValid())
  expect(reader.index()?.models).toHaveLength(29)

  const text = await Bun.file(card).text()
  writeFileSync(join(extra, 'alpha-h9.yaml'), text.replace('model: alpha-h3', 'model: alpha-h9'))
  await until('the new model is offered', () => reader.index()?.models.includes('alpha-h9'))
  expect(keeper.areFilesValid()).toBe(true)

  rmSync(join(extra, 'alpha-h9.yaml'))
  await until('the removed model is deleted', () => reader.versions.size === 29 && reader.index()?.models.length === 29)
  await keeper.stop()
})

test('a start without changes publishes nothing', async () => {
  const files = catalogFiles({ extraCardsDir: extra, pricesFile: prices })
  const sent: number[] = []
  const counting = { publish: async (messages: unknown[]) => void sent.push(messages.length) }
  const catalog = loadCatalog(files)
  const deps = { bus, topic: topic.name, published: reader, log: testLog, nowMs: () => 0 }
  await publishCatalog(deps, catalog)
  await until('the topic is read', () => isPublished(reader, catalog))
  await publishCatalog({ ...deps, bus: counting }, catalog)
  expect(sent).toEqual([0])
})

test('a card that is removed before its publication is visible is deleted', async () => {
  const files = catalogFiles({ extraCardsDir: extra, pricesFile: prices })
  const [versions, pending] = [new Map<string, string>(), [] as { key: string; value: Uint8Array | null }[][]]
  let index: CatalogIndex | undefined
  let looks = 0
  /** Called on each check with something to publish. */
  const ready = () => ++looks > 0
  const published = { ready, versions, index: () => index }
  /** The topic is read when the test calls this. */
  const readOn = () => {
    for (const { key, value } of pending.splice(0).flat()) {
      const { event } = value ? decode(topics.catalog.schema, value) : { event: undefined }
      if (event?.case === 'catalogIndex') index = event.value
      else if (event?.case === 'modelCard') versions.set(key, versionsOf(event.value))
      else versions.delete(key)
    }
  }
  const slow = { publish: async (messages: (typeof pending)[number]) => void pending.push(messages) }
  const publish = (catalog: Catalog) => publishCatalog({ bus: slow, topic: 'x', published, log: testLog, nowMs: () => 0 }, catalog)
  const keeper = keepPublished({ files, first: loadCatalog(files), publish, published, checkFilesEveryMs: 20, log: testLog })
  await until('the first', () => pending.length > 0)
  readOn()
  const text = await Bun.file(card).text()
  writeFileSync(join(extra, 'alpha-h9.yaml'), text.replace('model: alpha-h3', 'model: alpha-h9'))
  await until('one more card', () => pending.length > 0)
  const before = looks
  rmSync(join(extra, 'alpha-h9.yaml'))
  await until('the card is removed before its publication is visible', () => looks > before)
  readOn()
  expect(versions.has('alpha-h9')).toBe(true)
  await until('it is deleted', () => {
    readOn()
    return !versions.has('alpha-h9') && index?.models.length === 29
  })
  await keeper.stop()
})
