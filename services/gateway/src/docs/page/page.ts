import { html, jsonForScript } from '@filmgate/kit/http/html'
import type { Catalog } from '../../catalog/catalog-table'
import type { Schema } from '../../rules/json-schema'
import { exampleOf } from '../open-api/example-of'
import { openApi } from '../open-api/open-api'
import { consoleSection, type Operations } from './console-section'
import { contents } from './contents'
import { errorSection } from './error-section'
import { fieldSection } from './field-section'
import { guides } from './guide-section'
import { heading } from './headings'
import { modelSection } from './model-section'
import { operationSections, type PathItem } from './operation-section'
import { schemaSections, shownSchemas } from './schema-section'

/** The reference page: it loads its own style and scripts and nothing else. */
export function page(catalog: Catalog, consoleUrl?: string): string {
  const document = openApi(catalog)
  const paths = document.paths as Record<string, PathItem>
  const { schemas } = document.components as { schemas: Record<string, Schema> }
  const models = [...catalog.models.values()].map(({ card }) => card)
  const operations = operationsOf(paths)
  const examples = Object.fromEntries(models.flatMap(card => card.modes.map(mode => [`${card.model}.${mode.name}`, exampleOf(card, mode)])))
  const names = shownSchemas(schemas).map(([name]) => name)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Filmgate API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
<script src="/docs/page.js" defer></script>
<script src="/docs/try-it.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${contents(
  operations,
  names,
  models.map(({ model }) => model),
)}
<main id="content">
<h1>Filmgate API reference</h1>
<p>One HTTP API in front of many video providers, paid by credits. Version ${document.info.version}; paths are below <code>/api/v1</code>; prices of
<code>${catalog.priceVersion}</code>. For programs: <a href="/openapi.json">openapi.json</a>.</p>
${guides(consoleUrl)}
${consoleSection(Object.keys(examples), withoutWebhooks(operations), consoleUrl)}
${heading(2, 'routes', 'Routes')}
<p>Every answer carries <code>X-Request-Id</code>, and to a request with a key <code>RateLimit</code> and <code>RateLimit-Policy</code>.</p>
${operationSections(paths)}
${fieldSection(models, catalog.defaultModel)}
${heading(2, 'models', 'Models')}
<p>Made from the cards that requests are checked by, without what no provider that is configured here has. One credit is 0.01 USD of list price.</p>
<p class="soft" id="none" role="status"></p>
${[...catalog.models.values()].map(model => modelSection(model, model.id === catalog.defaultModel))}
${errorSection()}
${heading(2, 'objects', 'Objects')}
<p>What answers are made of. They have exactly these properties; <code>details</code> alone may gain others.</p>
${schemaSections(schemas)}
</main>
<script type="application/json" id="data">${jsonForScript({ operations, examples })}</script>
</body>
</html>`.text
}

const operationsOf = (paths: Record<string, PathItem>): Operations =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, summary, servers }]) => [
        operationId,
        {
          method: method.toUpperCase(),
          path: servers ? path : `/api/v1${path}`,
          summary,
          idempotent: operationId === 'createVideoGeneration',
        },
      ]),
    ),
  )

/** The form's examples are bodies of generations. */
const withoutWebhooks = (operations: Operations): Operations =>
  Object.fromEntries(Object.entries(operations).filter(([, { path }]) => !path.includes('/webhook-endpoints')))

/** Lets the page run its own scripts and style and speak to its own host; outputs may be played from wherever they are kept. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  'media-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
