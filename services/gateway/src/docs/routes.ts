import { answerRendered } from '@filmgate/kit/http/answer-rendered'
import { type Rendered, rendered } from '@filmgate/kit/http/rendered'
import { Elysia } from 'elysia'
import type { Catalog } from '../catalog/catalog-table'
import { oncePerCatalog } from '../models/render-models'
import { openApi } from './open-api/open-api'
import elements from './page/assets/elements.css' with { type: 'text' }
import menu from './page/assets/menu.css' with { type: 'text' }
import script from './page/assets/page.browser.js' with { type: 'text' }
import style from './page/assets/page.css' with { type: 'text' }
import tryIt from './page/assets/try-it.browser.js' with { type: 'text' }
import { page, pagePolicy } from './page/page'

const assets = {
  '/docs/page.css': { render: once(style + elements + menu), type: 'text/css; charset=utf-8' },
  '/docs/page.js': { render: once(script), type: 'text/javascript; charset=utf-8' },
  '/docs/try-it.js': { render: once(tryIt), type: 'text/javascript; charset=utf-8' },
}
const cacheControl = 'public, no-cache'

/** `consoleUrl`: where a reader signs in to try it with a key of their own; undefined where there is no console. */
export type DocsDeps = { currentCatalog(): Catalog; consoleUrl?: string }

/** GET /docs with its style and scripts, and GET /openapi.json: for everyone, made once a catalog. GET / leads to /docs. */
export const docs = ({ currentCatalog, consoleUrl }: DocsDeps) => {
  const renderDocument = oncePerCatalog(catalog => rendered(JSON.stringify(openApi(catalog))))
  const renderPage = oncePerCatalog(catalog => rendered(page(catalog, consoleUrl)))
  const app = new Elysia({ name: 'docs', normalize: false })
    .get('/', function getRoot({ set }) {
      set.headers.location = '/docs'
      return new Response(null, { status: 302 })
    })
    .get('/openapi.json', function getOpenApi({ request, set }) {
      return answerRendered(request, set, renderDocument(currentCatalog()), 'application/json', cacheControl)
    })
    .get('/docs', function getDocs({ request, set }) {
      set.headers['content-security-policy'] = pagePolicy
      set.headers['referrer-policy'] = 'no-referrer'
      return answerRendered(request, set, renderPage(currentCatalog()), 'text/html; charset=utf-8', cacheControl)
    })
  for (const [path, { render, type }] of Object.entries(assets)) {
    app.get(path, function getAsset({ request, set }) {
      return answerRendered(request, set, render(), type, cacheControl)
    })
  }
  return app
}

function once(text: string): () => Rendered {
  let made: Rendered | undefined
  return () => {
    made ??= rendered(text)
    return made
  }
}
