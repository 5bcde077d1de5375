import { type Html, html } from '@filmgate/kit/http/html'
import type { Operations } from './console-section'

const guideLinks = {
  start: 'Quick start',
  keys: 'Keys',
  idempotency: 'Idempotency',
  credits: 'Credits and billing',
  cancel: 'Cancel',
  limits: 'Limits',
  webhooks: 'Webhooks',
  rules: 'Rules beside the schemas',
  'try-it': 'Try it',
}

/** The way to every section; folded on a narrow screen, where it stands above the content. */
export const contents = (operations: Operations, schemas: string[], models: string[]): Html => html`
<header class="side">
<p class="brand"><a href="#content">Filmgate API</a></p>
<details class="menu" id="menu"><summary>Contents</summary>
<div class="panel">
<label class="hidden" for="search">Search the reference</label>
<input type="search" id="search" placeholder="Search  ( / )" autocomplete="off" spellcheck="false">
<p class="soft" id="found" role="status"></p>
<nav aria-label="Contents">
${group('Guide', Object.entries(guideLinks))}
${group(
  'Routes',
  Object.entries(operations).map(([id, { summary }]) => [id, summary]),
)}
${group('Requests', [['fields', 'Fields of a request']])}
${group(
  'Models',
  models.map(model => [model, model]),
)}
${group('Answers', [['errors', 'Errors'], ...schemas.map((name): [string, string] => [name, name])])}
</nav>
</div>
</details>
</header>`

const group = (title: string, links: [id: string, words: string][]): Html => html`
<div class="group"><h2>${title}</h2><ul>${links.map(([id, words]) => html`<li><a href="#${id}">${words}</a></li>`)}</ul></div>`
