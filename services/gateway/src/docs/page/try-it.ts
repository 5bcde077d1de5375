import { type Html, html, jsonForScript } from '@filmgate/kit/http/html'
import { exampleOf } from '../open-api/example-of'
import type { Operation } from '../pages/operation'
import type { Site } from '../site/site'

/** Routes that the form offers: its examples are bodies of generations, so that routes with other bodies are left out. */
export const isTried = ({ path, requestBody, tag }: Operation): boolean =>
  !path.includes('/webhook-endpoints') && !(requestBody && tag !== 'videos')

/** A form that asks this host; the script fills it. */
export function tryIt({ catalog, operations, consoleUrl }: Site): Html {
  const tried = operations.filter(isTried)
  const examples = Object.fromEntries(
    [...catalog.models.values()].flatMap(({ card }) => card.modes.map(mode => [`${card.model}.${mode.name}`, exampleOf(card, mode)])),
  )
  return html`
<p>The key stays in this tab and is sent to this host alone.</p>
${
  consoleUrl !== undefined &&
  html`<p><a id="use-account" href="${new URL('/try-it', consoleUrl).href}">Use your account</a>: the console signs you in and lends this tab a key that ends within the hour.</p>`
}
<form id="form" class="console">
<div class="pair">
<div><label for="key">API key</label><input id="key" type="password" autocomplete="off" placeholder="sk_live_…" required></div>
<div><label for="operation">Route</label><select id="operation">${tried.map(({ id, summary }) => html`<option value="${id}"${id === 'estimateVideo' && html` selected`}>${summary}</option>`)}</select></div>
</div>
<label for="path">Path</label><input id="path" spellcheck="false" required>
<div id="body-part">
<label for="example">Example</label><select id="example">${Object.keys(examples).map(id => html`<option value="${id}">${id.replace(/\.([a-z-]+)$/, ', $1')}</option>`)}</select>
<label for="body">Body</label><textarea id="body" spellcheck="false"></textarea>
</div>
<div class="row"><button id="send">Send</button><span id="status" role="status"></span></div>
<div class="code"><pre tabindex="0" role="group" aria-label="Answer"><code id="answer">The answer comes here.</code></pre></div>
<video id="video" controls hidden></video>
</form>
<script type="application/json" id="data">${jsonForScript({ operations: Object.fromEntries(tried.map(operation => [operation.id, formOf(operation)])), examples })}</script>`
}

const formOf = ({ id, method, path, requestBody }: Operation) => ({
  method,
  path,
  hasBody: requestBody !== undefined && id !== 'cancelVideoGeneration',
  idempotent: id === 'createVideoGeneration',
})
