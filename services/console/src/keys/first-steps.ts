import { type Html, html } from '@filmgate/kit/http/html'

const prompt = 'A paper boat drifts down a rainy street'

/** How to use a new key: the clients' settings, and a video by each of two ways. Its block with the secret is removed like the secret. */
export const firstSteps = ({ secret, apiUrl, apiOrigin }: { secret: string; apiUrl: string; apiOrigin: string }): Html =>
  html`<h2>First video</h2>
<p>Filmgate’s clients and commands read these two settings. In a shell:</p>
${block('settings', html` data-secret`, `export FILMGATE_URL=${apiUrl}\nexport FILMGATE_API_KEY=${secret}`)}
<p>Then make a video by the command line, which tells the price first and saves the file:</p>
${block('command', undefined, `npx filmgate generate "${prompt}" -m alpha-h3 -o boat.mp4`)}
<p>Or by any HTTP client:</p>
${block(
  'request',
  undefined,
  `curl "$FILMGATE_URL/video/generations" \\
  -H "Authorization: Bearer $FILMGATE_API_KEY" \\
  -H "Idempotency-Key: first-$(date +%s)" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"alpha-h3","prompt":"${prompt}"}'`,
)}
<p>The <a href="${apiOrigin}/docs">reference</a> goes on from here. Videos are charged to the account’s paid credits.</p>`

const block = (id: string, attribute: Html | undefined, text: string): Html =>
  html`<div class="copied"${attribute}><pre id="${id}" tabindex="0" role="group" aria-label="The ${id}"><code>${text}</code></pre>
<button class="second" type="button" data-copy="${id}" hidden>Copy ${id}</button></div>`
