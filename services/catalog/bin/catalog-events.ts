import { create, type MessageInitShape, toJsonString } from '@bufbuild/protobuf'
import { CatalogEventSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { loadCatalog } from '../src/catalog/load-catalog'
import { catalogFiles } from '../src/config'

/** Prints what an empty topic would get, a JSON line each: every card, then the index that puts them in force. */
const { cards, defaultModel, priceVersion } = loadCatalog(catalogFiles({}))
const models = cards.map(({ model }) => model)
for (const card of cards) print({ case: 'modelCard', value: card })
print({ case: 'catalogIndex', value: { models, defaultModel, priceVersion } })

function print(event: MessageInitShape<typeof CatalogEventSchema>['event']): void {
  console.log(toJsonString(CatalogEventSchema, create(CatalogEventSchema, { event })))
}
