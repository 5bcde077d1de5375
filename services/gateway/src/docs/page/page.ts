import type { Catalog } from '../../catalog/catalog-table'
import { exampleOf } from '../open-api/example-of'
import { openApi } from '../open-api/open-api'
import { guides } from './guide-section'
import { type Html, html, jsonForScript, Html as Markup } from './html'
import { modelSection } from './model-section'
import { operationSections, type PathItem } from './operation-section'
import style from './page.css' with { type: 'text' }
import script from './try-it.browser.js' with { type: 'text' }

const guideLinks = {
  start: 'Quick start',
  keys: 'Keys',
  idempotency: 'Idempotency',
  credits: 'Credits and billing',
  limits: 'Limits',
  rules: 'Rules',
  errors: 'Errors',
}

/** The reference page: one file, nothing loaded from anywhere. */
export function page(catalog: Catalog): string {
  const document = openApi(catalog)
  const paths = document.paths as Record<string, PathItem>
  const models = [...catalog.models.values()].map(({ card }) => card)
  const operations = Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, summary }]) => [
        operationId,
        { method: method.toUpperCase(), path: `/api/v1${path}`, summary, idempotent: operationId === 'createVideoGeneration' },
      ]),
    ),
  )
  const examples = Object.fromEntries(models.flatMap(card => card.modes.map(mode => [`${card.model}.${mode.name}`, exampleOf(card, mode)])))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Filmgate API reference</title>
<style>${new Markup(style)}</style>
</head>
<body>
<nav aria-label="Contents">
<h1>Filmgate API</h1>
<div class="soft">version ${document.info.version}</div>
<h2>Guide</h2>
${Object.entries(guideLinks).map(([id, words]) => html`<a href="#${id}">${words}</a>`)}
<h2>Routes</h2>
${Object.entries(operations).map(([id, { summary }]) => html`<a href="#${id}">${summary}</a>`)}
<h2>Models</h2>
${models.map(({ model }) => html`<a href="#${model}">${model}</a>`)}
</nav>
<main>
<h1>API reference</h1>
<p>One HTTP API in front of many video makers, paid by credits. Paths are below <code>/api/v1</code>. For programs: <a href="/openapi.json">openapi.json</a>.
Prices of <code>${catalog.priceVersion}</code>.</p>
${consoleSection(Object.keys(examples), operations)}
${guides()}
<h2 id="routes">Routes</h2>
${operationSections(paths)}
<h2 id="models">Models</h2>
<p>Made from the cards that requests are checked by.</p>
${models.map(card => modelSection(card, card.model === catalog.defaultModel))}
</main>
<script type="application/json" id="data">${jsonForScript({ operations, examples })}</script>
<script>${new Markup(script)}</script>
</body>
</html>`.text
}

const consoleSection = (examples: string[], operations: Record<string, { summary: string }>): Html => html`
<section id="console" aria-label="Try it">
<form id="form">
<strong>Try it</strong> <span class="soft">against this host, with your own key and credits</span>
<label for="key">API key</label><input id="key" type="password" autocomplete="off" placeholder="sk_live_…" required>
<label for="operation">Route</label><select id="operation">${Object.entries(operations).map(([id, { summary }]) => html`<option value="${id}"${id === 'estimateVideo' && html` selected`}>${summary}</option>`)}</select>
<label for="path">Path</label><input id="path" spellcheck="false" required>
<div id="body-part">
<label for="example">Example</label><select id="example">${examples.map(id => html`<option value="${id}">${id.replace(/\.([a-z-]+)$/, ', $1')}</option>`)}</select>
<label for="body">Body</label><textarea id="body" spellcheck="false"></textarea>
</div>
<div class="row"><button id="send">Send</button><span id="status" role="status"></span></div>
</form>
<pre><code id="answer">The answer comes here.</code></pre>
<video id="video" controls hidden></video>
</section>`

const hash = (text: string): string => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`

/** Lets the page run its own script and style and speak to its own host; outputs may be played from wherever they are kept. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(script)}`,
  "connect-src 'self'",
  'media-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
