import { Elysia } from 'elysia'
import type { Catalog } from '../catalog/catalog-table'
import { answerRendered } from '../models/answer-rendered'
import { oncePerCatalog, rendered } from '../models/render-models'
import { openApi } from './open-api/open-api'
import { page, pagePolicy } from './page/page'

/** GET /docs and GET /openapi.json: for everyone, made once a catalog. */
export const docs = ({ currentCatalog }: { currentCatalog(): Catalog }) => {
  const renderDocument = oncePerCatalog(catalog => rendered(JSON.stringify(openApi(catalog))))
  const renderPage = oncePerCatalog(catalog => rendered(page(catalog)))
  return new Elysia({ name: 'docs', normalize: false })
    .get('/openapi.json', function getOpenApi({ request, set }) {
      return answerRendered(request, set, renderDocument(currentCatalog()), 'application/json', 'public, no-cache')
    })
    .get('/docs', function getDocs({ request, set }) {
      set.headers['content-security-policy'] = pagePolicy
      set.headers['x-content-type-options'] = 'nosniff'
      set.headers['referrer-policy'] = 'no-referrer'
      return answerRendered(request, set, renderPage(currentCatalog()), 'text/html; charset=utf-8', 'public, no-cache')
    })
}
