import { type Html, html } from '@filmgate/kit/http/html'
import { heading } from './headings'

export type Operations = Record<string, { method: string; path: string; summary: string; idempotent: boolean }>

/** A form that asks this host; the script fills it. */
export const consoleSection = (examples: string[], operations: Operations, consoleUrl?: string): Html => html`
${heading(2, 'try-it', 'Try it')}
<p>Against this host, with your own key and credits. The key stays in this tab and is sent nowhere else.</p>
${
  consoleUrl !== undefined &&
  html`<p><a id="use-account" href="${consoleUrl}/try-it">Use your account</a>: the console signs you in and lends this tab a key that ends within the hour.</p>`
}
<form id="form" class="console">
<div class="pair">
<div><label for="key">API key</label><input id="key" type="password" autocomplete="off" placeholder="sk_live_…" required></div>
<div><label for="operation">Route</label><select id="operation">${Object.entries(operations).map(([id, { summary }]) => html`<option value="${id}"${id === 'estimateVideo' && html` selected`}>${summary}</option>`)}</select></div>
</div>
<label for="path">Path</label><input id="path" spellcheck="false" required>
<div id="body-part">
<label for="example">Example</label><select id="example">${examples.map(id => html`<option value="${id}">${id.replace(/\.([a-z-]+)$/, ', $1')}</option>`)}</select>
<label for="body">Body</label><textarea id="body" spellcheck="false"></textarea>
</div>
<div class="row"><button id="send">Send</button><span id="status" role="status"></span></div>
<div class="code"><pre tabindex="0" role="group" aria-label="Answer"><code id="answer">The answer comes here.</code></pre></div>
<video id="video" controls hidden></video>
</form>`
