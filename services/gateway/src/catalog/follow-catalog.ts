import type { Bus, Table } from '@filmgate/kit/bus/bus'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { CatalogEvent } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { OffersEvent } from '@filmgate/proto/gen/filmgate/v1/offers_pb'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import type { CatalogTable } from './catalog-table'

export type FollowedTable = Pick<CatalogTable, 'apply' | 'applyOffer' | 'unavailable'>

/**
 * Follows the catalog and what is offered of it, each from its beginning. Nothing waits for the offers: where none was heard, as before a
 * dispatcher first runs, every card is offered whole.
 */
export function followCatalog(bus: Pick<Bus, 'readTable'>, topicPrefix: string, catalog: FollowedTable): Pick<Table, 'stop'> {
  gauge('catalog_models_unavailable', 'Models of the catalog that no configured provider has', catalog.unavailable)
  const cards = bus.readTable<CatalogEvent>({
    topic: topicName(topicPrefix, 'catalog'),
    read: bytes => decode(topics.catalog.schema, bytes),
    apply: catalog.apply,
  })
  const offers = bus.readTable<OffersEvent['event']>({
    topic: topicName(topicPrefix, 'offers'),
    read: bytes => decode(topics.offers.schema, bytes).event,
    apply: (model, event) => catalog.applyOffer(model, event?.case === 'modelOffer' ? event.value : undefined),
  })
  return {
    async stop() {
      await Promise.all([cards.stop(), offers.stop()])
    },
  }
}
