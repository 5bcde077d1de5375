import { toJsonString } from '@bufbuild/protobuf'
import { ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { loadCatalog } from '../src/catalog/load-catalog'
import { catalogFiles } from '../src/config'

/** Prints the cards with their prices, a JSON line each. A given file overrides parts of the price book. */
const [pricesFile] = process.argv.slice(2)
for (const card of loadCatalog(catalogFiles({ extraCardsDir: undefined, pricesFile })).cards)
  console.log(toJsonString(ModelCardSchema, card))
