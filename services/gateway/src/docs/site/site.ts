import { invariant } from '@filmgate/kit/failure'
import type { Catalog } from '../../catalog/catalog-table'
import { openApi } from '../open-api/open-api'
import { apiPage } from '../pages/api'
import { changelogPage } from '../pages/changelog'
import { errorsPage } from '../pages/errors'
import { fieldsOfRequests } from '../pages/fields'
import { guidePages } from '../pages/guide'
import { modelPage } from '../pages/model/model'
import { modelsPage } from '../pages/model/models'
import { objectsPage } from '../pages/objects'
import { type Operation, operationPage, operationsOf } from '../pages/operation'
import type { Schemas } from '../pages/schema-words'
import { startPage } from '../pages/start'
import { tryItPage } from '../pages/try-it'
import { texts } from '../texts/texts'
import type { DocPage } from './doc-page'

/** The reference for one catalog: its pages in the order of the menu. `consoleUrl`: undefined where there is no console. */
export type Site = {
  catalog: Catalog
  consoleUrl?: string
  operations: Operation[]
  pages: ReadonlyMap<string, DocPage>
}

export function siteOf(catalog: Catalog, consoleUrl?: string): Site {
  const document = openApi(catalog)
  const operations = operationsOf(document.paths)
  const schemas = () => document.components.schemas as Schemas
  const all = guidePages(texts.guides, consoleUrl)
  const errors = all.find(({ path }) => path === '/docs/errors')
  invariant(errors, 'no guide about errors')
  const guides = all.filter(page => page !== errors)
  const pages = [
    startPage(guides, consoleUrl),
    tryItPage(),
    ...guides,
    modelsPage(catalog),
    ...[...catalog.models.values()].map(model => modelPage(model, model.id === catalog.defaultModel)),
    apiPage(operations, document.info.version),
    ...operations.map(operation =>
      operationPage(operation, () => (operation.id === 'createVideoGeneration' ? fieldsOfRequests(catalog) : undefined)),
    ),
    errorsPage(errors, schemas),
    objectsPage(schemas),
    changelogPage(texts.changelog),
  ]
  return { catalog, consoleUrl, operations, pages: new Map(pages.map(page => [page.path, page])) }
}
