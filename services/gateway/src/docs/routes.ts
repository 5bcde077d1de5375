import { answerRendered } from '@filmgate/kit/http/answer-rendered'
import { type Rendered, rendered } from '@filmgate/kit/http/rendered'
import { Elysia } from 'elysia'
import type { Catalog } from '../catalog/catalog-table'
import { oncePerCatalog } from '../models/render-models'
import { openApi } from './open-api/open-api'
import early from './page/assets/early.browser.js' with { type: 'text' }
import elements from './page/assets/elements.css' with { type: 'text' }
import menu from './page/assets/menu.css' with { type: 'text' }
import oldLinks from './page/assets/old-links.browser.js' with { type: 'text' }
import script from './page/assets/page.browser.js' with { type: 'text' }
import style from './page/assets/page.css' with { type: 'text' }
import samples from './page/assets/samples.css' with { type: 'text' }
import search from './page/assets/search.browser.js' with { type: 'text' }
import tryIt from './page/assets/try-it.browser.js' with { type: 'text' }
import { pagePolicy } from './page/layout'
import { missingPage, page } from './page/page'
import { allExamples } from './page/sample-block'
import { twinOf } from './site/directives'
import { llmsFull, llmsIndex } from './site/llms'
import { searchIndex } from './site/search-index'
import { type Site, siteOf } from './site/site'

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  json: 'application/json',
  css: 'text/css; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
}
type Answer = { body: Rendered; type: string }

const assets: Record<string, () => Answer> = {
  '/docs/page.css': once(style + elements + menu + samples, types.css),
  '/docs/early.js': once(early, types.script),
  '/docs/page.js': once(script + search, types.script),
  '/docs/try-it.js': once(tryIt, types.script),
  '/docs/old-links.js': once(oldLinks, types.script),
}
const made: Record<string, { type: string; make(site: Site): string }> = {
  '/docs/llms.txt': { type: types.text, make: llmsIndex },
  '/docs/llms-full.txt': { type: types.text, make: llmsFull },
  '/docs/search.json': { type: types.json, make: site => JSON.stringify(searchIndex(site)) },
  '/docs/examples.json': { type: types.json, make: site => JSON.stringify(allExamples(site.catalog)) },
}
/** For readers of the root, which an Ingress may publish or not. */
const aliases: Record<string, string> = {
  '/llms.txt': '/docs/llms.txt',
  '/llms-full.txt': '/docs/llms-full.txt',
}
const cacheControl = 'public, no-cache'

/** `consoleUrl`: where a reader signs in to try it with a key of their own; undefined where there is no console. */
export type DocsDeps = { currentCatalog(): Catalog; consoleUrl?: string }

/** The reference and GET /openapi.json, for everyone: each page is made when it is first asked for, once a catalog. GET / leads to /docs. */
export const docs = ({ currentCatalog, consoleUrl }: DocsDeps) => {
  const renderDocument = oncePerCatalog(catalog => rendered(JSON.stringify(openApi(catalog))))
  const siteFor = oncePerCatalog(catalog => siteOf(catalog, consoleUrl))
  const answersOf = oncePerCatalog(catalog => createAnswers(siteFor(catalog)))

  function show(context: Context): Response | undefined {
    const pathname = new URL(context.request.url).pathname.replace(/(?<=.)\/$/, '')
    const asset = assets[pathname]
    if (asset) return answer(context, asset())
    const catalog = currentCatalog()
    const found = answersOf(catalog)(aliases[pathname] ?? pathname)
    if (found) return answer(context, found)
    Object.assign(context.set.headers, pageHeaders, { 'content-type': types.html })
    return new Response(missingPage(siteFor(catalog)), { status: 404 })
  }
  const app = new Elysia({ name: 'docs', normalize: false })
    .get('/', function getRoot({ set }) {
      set.headers.location = '/docs'
      return new Response(null, { status: 302 })
    })
    .get('/openapi.json', function getOpenApi({ request, set }) {
      return answerRendered(request, set, renderDocument(currentCatalog()), types.json, cacheControl)
    })
    .get('/docs', function getDocs(context) {
      return show(context)
    })
    .get('/docs/*', function getDocsPage(context) {
      return show(context)
    })
  for (const path of Object.keys(aliases)) {
    app.get(path, function getAlias(context) {
      return show(context)
    })
  }
  return app
}

/** What is at each path for one catalog. Only what exists is kept, so that unknown paths cost no memory. */
function createAnswers(site: Site): (path: string) => Answer | undefined {
  const kept = new Map<string, Answer>()

  function make(path: string): Answer | undefined {
    const other = made[path]
    if (other) return { body: rendered(other.make(site)), type: other.type }
    const shown = site.pages.get(path)
    if (shown) return { body: rendered(page(site, shown)), type: types.html }
    const twin = path.endsWith('.md') ? site.pages.get(path === '/docs/index.md' ? '/docs' : path.slice(0, -'.md'.length)) : undefined
    return twin && { body: rendered(twinOf(site, twin.markdown())), type: types.markdown }
  }
  return path => {
    const known = kept.get(path) ?? make(path)
    if (known) kept.set(path, known)
    return known
  }
}

type Context = { request: Request; set: { status?: number | string; headers: Record<string, string | number> } }

function answer({ request, set }: Context, { body, type }: Answer): Response | undefined {
  if (type === types.html) Object.assign(set.headers, pageHeaders)
  return answerRendered(request, set, body, type, cacheControl)
}

const pageHeaders = { 'content-security-policy': pagePolicy, 'referrer-policy': 'no-referrer' }

function once(text: string, type: string): () => Answer {
  let made: Answer | undefined
  return () => {
    made ??= { body: rendered(text), type }
    return made
  }
}
