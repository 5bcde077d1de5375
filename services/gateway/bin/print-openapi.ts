import { fromJsonString } from '@bufbuild/protobuf'
import { CatalogEventSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { createCatalogTable } from '../src/catalog/catalog-table'
import { openApi } from '../src/docs/open-api/open-api'

/**
 * Prints the OpenAPI document that a gateway would answer with, without a running service. Standard input is what
 * `services/catalog/bin/catalog-events.ts` prints.
 */
const table = createCatalogTable({
  info() {},
  error(fields: unknown) {
    throw new Error(JSON.stringify(fields))
  },
})
const lines = (await Bun.stdin.text()).split('\n').filter(Boolean)
for (const line of lines) {
  const row = fromJsonString(CatalogEventSchema, line)
  table.apply(row.event.case === 'modelCard' ? row.event.value.model : '', row)
}
console.log(JSON.stringify(openApi(table.current())))
