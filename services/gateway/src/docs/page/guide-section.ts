import { reasons } from '../../errors'
import { publicCodes, taskOnlyCodes } from '../open-api/error-codes'
import { type Html, html } from './html'

/** What a reader must know beside the routes. */
export const guides = (): Html => html`
<h2 id="start">Quick start</h2>
<p>Ask for a video. The answer comes once a provider has taken the generation; then read the task until it is <code>completed</code>.</p>
<pre><code>curl https://HOST/api/v1/video/generations \\
  -H "Authorization: Bearer $FILMGATE_API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" -H "Content-Type: application/json" \\
  -d '{"model":"alpha-h3","prompt":"A paper boat drifts down a rainy street"}'

curl https://HOST/api/v1/tasks/vt_… -H "Authorization: Bearer $FILMGATE_API_KEY" -H "Prefer: wait=60"</code></pre>
<p>When it is completed, <code>output.video_url</code> is yours to fetch for 30 days. Anyone who holds the URL can fetch it: keep a copy of your own.</p>

<h2 id="keys">Keys</h2>
<p>Send <code>Authorization: Bearer sk_live_…</code> with every request. A key belongs on a server, never in a browser. After a rotation the former
secret works for 24 hours more; a revoked key stops within 5 seconds, and what it started finishes and is billed.</p>

<h2 id="idempotency">Idempotency</h2>
<p>Every generation carries an <code>Idempotency-Key</code> of your choosing. The same key with the same body (white space and the order of
properties don't matter, nor how a number is written) returns the same task with <code>Idempotent-Replayed: true</code>, also when it failed; with another body it is
refused with 409. A refusal before credits were reserved
leaves the key free, and so does a <code>generation_unavailable</code> that says so: a fault of ours kept your media from being checked. After a 503 or a broken connection send the identical request
again: it can't buy a second video.</p>

<h2 id="credits">Credits and billing</h2>
<p>Credits are whole. A request costs the seconds of its output, and where the model says so those of its reference videos, at the rates of
the model's table, rounded up once. They are reserved before any media is downloaded; the estimate, the reservation and the charge are the
same number. <code>max_credits</code> refuses a price above it before anything is charged.</p>
<table><thead><tr><th>billing_status</th><th>Meaning</th></tr></thead><tbody>
<tr><td><code>reserved</code></td><td>Credits are held for the task.</td></tr>
<tr><td><code>settled</code></td><td>The video was delivered and paid.</td></tr>
<tr><td><code>refund_pending</code>, <code>refunded</code></td><td>The generation definitely failed; the credits are on their way back, or back.</td></tr>
<tr><td><code>review</code></td><td>Whether the provider took the generation is not known. The credits stay held until it is: a timeout alone is never a refund, nor a charge.</td></tr>
</tbody></table>

<h2 id="limits">Limits</h2>
<ul>
<li>30 requests a minute and key. Each comes back exactly 60 seconds after it was made; <code>RateLimit</code> and <code>Retry-After</code> tell when.</li>
<li>Three unfinished tasks an account, over all of its keys.</li>
<li>64 KiB of JSON; 256 MiB of media a task; URLs of 2048 characters: https on port 443 of a public host, without user, password and fragment.</li>
<li>Poll a task every 10 seconds at most, or hold the read with <code>Prefer: wait=60</code>.</li>
</ul>

<h2 id="rules">Rules beside the schemas</h2>
<p><a href="#listModels">GET /models</a> gives a JSON Schema for every model and mode, the very shapes the server checks by. What a schema can't
say stands in <code>rules</code>, for a program to evaluate: where every condition of <code>when</code> holds, <code>left</code> added up must
compare with <code>right</code> added up. A term is a number, <code>{"value": field}</code>, <code>{"sum": field}</code>,
<code>{"count": field}</code> or <code>{"trimmed_length": field}</code> (Unicode code points); a field left out counts as the term's
<code>default</code>, or 0. <code>well_formed</code> names a text without U+0000 and unpaired surrogates.</p>

<h2 id="errors">Errors</h2>
<p>Every error has one shape, and <code>code</code> is one of these. <code>details.issues</code> names every fault of a body at once. Every
answer carries an <code>X-Request-Id</code>: tell it when you ask us about one.</p>
<pre><code>{"error":{"code":"invalid_request","message":"…","details":{"issues":[
  {"path":"duration","rule":"duration_at_1080p","message":"duration must be 6 when resolution is 1080p"}]}}}</code></pre>
<div class="scroll"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>
${publicCodes.map(code => html`<tr><td>${reasons[code][0]}</td><td><code>${code}</code></td><td>${reasons[code][1]}</td></tr>`)}
${Object.entries(taskOnlyCodes).map(([code, words]) => html`<tr><td class="soft">task</td><td><code>${code}</code></td><td>${words}</td></tr>`)}
</tbody></table></div>`
