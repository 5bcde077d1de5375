import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Bus, Outgoing } from '@filmgate/kit/bus/bus'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { CatalogIndex } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { encode, topics } from '@filmgate/proto/topics'
import type { Catalog } from '../catalog/load-catalog'
import { type PublishedRows, versionsOf } from './published-view'

export type PublishDeps = {
  bus: Pick<Bus, 'publish'>
  topic: string
  published: PublishedRows
  log: Pick<Log, 'info'>
  nowMs: () => number
}

/** No model has this name: ids start with a letter or a digit. */
const indexKey = '_index'

/** Publishes differences from the topic: changed cards, then the index that activates them, then deletions. */
export async function publishCatalog({ bus, topic, published, log, nowMs }: PublishDeps, catalog: Catalog): Promise<void> {
  const { models, changed, removed, isSame } = compare(published, catalog)
  const messages: Outgoing[] = changed.map(card => message(topic, card.model, { event: { case: 'modelCard', value: card } }))
  if (!isSame) {
    const { defaultModel, priceVersion } = catalog
    const index = { models, defaultModel, priceVersion, at: timestampFromMs(nowMs()) }
    messages.push(message(topic, indexKey, { event: { case: 'catalogIndex', value: index } }))
  }
  messages.push(...removed.map(model => ({ topic, key: model, value: null })))
  await bus.publish(messages)
  const figures = { models: models.length, changed: changed.map(card => card.model), removed, price_version: catalog.priceVersion }
  log.info(figures, messages.length > 0 ? 'catalog published' : 'catalog unchanged, nothing published')
}

/** Whether the topic, as far as read, holds exactly this catalog. */
export const isPublished = (published: PublishedRows, catalog: Catalog): boolean => compare(published, catalog).isSame

function compare(published: PublishedRows, catalog: Catalog) {
  const models = catalog.cards.map(card => card.model)
  const changed = catalog.cards.filter(card => published.versions.get(card.model) !== versionsOf(card))
  const removed = [...published.versions.keys()].filter(model => !models.includes(model))
  return {
    models,
    changed,
    removed,
    isSame: changed.length === 0 && removed.length === 0 && isSameIndex(published.index(), catalog, models),
  }
}

const message = (topic: string, key: string, event: Parameters<typeof encode<typeof topics.catalog.schema>>[1]): Outgoing => ({
  topic,
  key,
  value: encode(topics.catalog.schema, event),
})

const isSameIndex = (index: CatalogIndex | undefined, catalog: Catalog, models: string[]): boolean =>
  index?.priceVersion === catalog.priceVersion &&
  index.defaultModel === catalog.defaultModel &&
  index.models.length === models.length &&
  index.models.every((model, position) => model === models[position])
