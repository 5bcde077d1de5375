import { type Html, html } from '@filmgate/kit/http/html'
import { notCancelledBecause } from '../../cancel/cancel-task'
import { code, heading, table } from './headings'

/** The page's script puts the host in: the gateway does not know by which names it is reached. */
const quickStart = (): Html => html`curl <span data-origin>https://HOST</span>/api/v1/video/generations \\
  -H "Authorization: Bearer $FILMGATE_API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" -H "Content-Type: application/json" \\
  -d '{"model":"alpha-h3","prompt":"A paper boat drifts down a rainy street"}'

curl <span data-origin>https://HOST</span>/api/v1/tasks/vt_… -H "Authorization: Bearer $FILMGATE_API_KEY" -H "Prefer: wait=60"`

const webhookBody = `webhook-id: msg_…
webhook-timestamp: 1763803872
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"type": "task.completed", "timestamp": "2026-11-22T09:31:12.000Z", "data": {"task": {"id": "vt_…", …}, "tags": {}}}`

const webhookCheck = `import { Webhook } from 'standardwebhooks'

const event = new Webhook(secret).verify(rawBody, request.headers) // throws unless it is ours and new`

/** Where a reader without a key gets one. */
const keySource = (consoleUrl: string | undefined): Html =>
  consoleUrl === undefined
    ? html`<p>You need an API key, which the operator of this installation gives you.</p>`
    : html`<p>You need an API key. <a href="${consoleUrl}">Sign in to the console</a>, open <em>API keys</em> of your account, and create one. It is
shown once. The API spends the account’s paid balance; starter credits are for the console’s playground.</p>`

/** What a reader must know beside the routes. */
export const guides = (consoleUrl?: string): Html => html`
${heading(2, 'start', 'Quick start')}
${keySource(consoleUrl)}
${code(html`export FILMGATE_API_KEY=sk_live_…`, 'Your key')}
<p>Ask for a video. The answer comes once a provider has taken the generation; then read the task until it is <code>completed</code>. A
provider is the company whose service generates a model's videos.</p>
${code(quickStart(), 'Quick start')}
<p>When it is completed, <code>output.video_url</code> is yours to fetch for 30 days. Anyone who holds the URL can fetch it: keep a copy of your own.</p>

${heading(2, 'keys', 'Keys')}
<p>Send <code>Authorization: Bearer sk_live_…</code> with every request. A key belongs on a server, never in a browser. After a rotation the former
secret works for 24 hours more; a revoked key stops within 5 seconds, and what it started finishes and is billed.</p>

${heading(2, 'idempotency', 'Idempotency')}
<p>Every generation carries an <code>Idempotency-Key</code> of your choosing. The same key with the same body (white space and the order of
properties don't matter, nor how a number is written) returns the same task with <code>Idempotent-Replayed: true</code>, also when it failed; with another body it is
refused with 409. A refusal before credits were reserved
leaves the key free, and so does a <code>generation_unavailable</code> that says so: a fault of ours kept your media from being checked. After a 503 or a broken connection send the identical request
again: it can't buy a second video.</p>

${heading(2, 'credits', 'Credits and billing')}
<p>Credits are whole. A request costs the seconds of its output, and where the model says so those of its reference videos, at the rates of
the model's table, rounded up once. They are reserved before any media is downloaded. The estimate and the reservation are the same number,
and the charge is never more. <code>max_credits</code> refuses a price above it before anything is charged.</p>
<p>Each video is measured before it is delivered. A video that is more than half a second shorter than ordered (a quarter of a second for a
video of one second), more than 5 % below the resolution ordered, or without the sound ordered, costs the price of what came:
its seconds rounded up, its resolution class, no sound. The rest comes back in <code>credits_refunded</code>. A clip priced by its length costs the longest
clip of the table that it reaches. A model billed by the generation costs the whole price. A longer or larger video costs nothing more. A file
without a picture is no video: the task fails and all credits come back. Frames are not decoded, so a damaged picture is not detected.</p>
<p>A key and its account may have budgets: caps in credits, in total, a day or a month in the time zone of the account. A request above what
one of them has left is 402 <code>budget_exceeded</code>. <code>details</code> names the <code>budget</code> and its <code>period</code>,
<code>left_credits</code>, and in <code>resets_at</code> when it begins anew; a total never does. <a href="#getApiKey">GET /keys/self</a> lists them before that.</p>
${table(
  'Values of billing_status',
  ['billing_status', 'Meaning'],
  [
    { cells: [html`<code>reserved</code>`, html`Credits are held for the task.`] },
    { cells: [html`<code>settled</code>`, html`The video was delivered and paid: credits_used minus credits_refunded.`] },
    {
      cells: [
        html`<code>refund_pending</code>, <code>refunded</code>`,
        html`The generation definitely failed; the credits are on their way back, or back.`,
      ],
    },
    {
      cells: [
        html`<code>review</code>`,
        html`Whether the provider took the generation is not known. The credits stay held until it is: a timeout alone is never a refund, nor a charge.`,
      ],
    },
  ],
)}

${heading(2, 'cancel', 'Cancel')}
<p><a href="#cancelVideoGeneration">POST /tasks/{id}/cancel</a> ends a task that no provider has yet: 200 with the task, <code>failed</code> with
<code>cancelled</code>, and its credits come back at once. A POST that still waits for that task is answered 409 <code>cancelled</code>. Once a provider has
the generation, the provider decides. One that offers it is asked: 202 while it has not answered, and the credits come back when it says that
the generation is cancelled. A video that it completes all the same is delivered and charged. Otherwise the answer is
409 <code>not_cancellable</code> with <code>details.reason</code>:</p>
${table(
  'Reasons of not_cancellable',
  ['reason', 'Meaning'],
  Object.entries(notCancelledBecause).map(([name, words]) => ({ cells: [html`<code>${name}</code>`, words] })),
)}
<p>A POST with <code>Filmgate-Cancel-After: 600</code> sets your own deadline: its task is cancelled so many seconds after it was made, in the same way and
once, 1 to 86,400 seconds.</p>
<p>Cancelling again changes nothing: a task that a cancel ended answers 200 with itself.</p>

${heading(2, 'limits', 'Limits')}
<ul>
<li>30 requests a minute and key, unless your account has another limit: <code>RateLimit-Policy</code> tells yours. Each comes back exactly 60 seconds after it was made; <code>RateLimit</code> and <code>Retry-After</code> tell when.
If the store that counts requests fails, each of our servers admits its share: fewer requests than your limit may pass. In the minute around the
failure up to your limit + max(your limit, number of servers) may pass.</li>
<li>Three unfinished tasks an account, over all of its keys, unless your account has another limit. A task in <code>review</code> counts only as long as its generation may still run, an
hour at most; its credits stay held. <code>details.unfinished</code> of the 429 names the tasks that count, and <code>until</code> when a review does.</li>
<li>100 POSTs an account in ten minutes that are refused after their reservation, for their media or their content; a second of processor for
refused media counts as one more, up to a quarter of it a request. Above it nothing is created until <code>Retry-After</code> has passed: 429 <code>rate_limited</code> with
<code>details.limit</code> <code>refusals</code>. Estimates, reads and replays go on.</li>
<li>64 KiB of JSON; 256 MiB of media a task; URLs of 2048 characters: https on port 443 of a public host, without user, password and fragment.</li>
<li>Poll a task every 10 seconds at most, hold the read with <code>Prefer: wait=60</code>, or follow it by
<a href="#listVideoGenerationEvents">server-sent events</a>: 20 streams a key and server, each for ten minutes at most; then resume it.</li>
</ul>

${heading(2, 'webhooks', 'Webhooks')}
<p>Instead of asking, be told. <a href="#createWebhookEndpoint">Create an endpoint</a>, or use the console's page <em>Webhooks</em>, and store its
secret. Events are posted as JSON:</p>
${code(webhookBody, 'The body of an event')}
<p><code>data.task</code> is the task as <a href="#getVideoGeneration">GET /tasks/{id}</a> shows it. <code>balance.low</code> has <code>available_credits</code> and
<code>threshold_credits</code> in its place. Events follow Standard Webhooks (standardwebhooks.com): verify each one with one of
its libraries before you believe it. The signature is over the raw body, so verify before you parse.</p>
${code(webhookCheck, 'Verifying an event')}
<ul>
<li>Answer with 2xx within 10 seconds, and work afterwards. Any other answer, a redirect too, is a failure: the event is sent again, for 24 hours.</li>
<li>An event may come twice, with the same <code>webhook-id</code>. Events of one task come in their order; those of different tasks in any.</li>
<li>An endpoint is paused after days of failures alone, and the owners of the account get an e-mail; <a href="#resumeWebhookEndpoint">resume</a> it. What failed is
<a href="#replayWebhookDeliveries">sent again</a> on request, within 30 days.</li>
<li>A POST to <a href="#createOpenAiVideo">/openai/v1/videos</a> can name a <code>callback_url</code> for the events of its own task, beside your endpoints.
<code>callback_secret</code> signs them: <code>whsec_…</code> as that of an endpoint, any other text by its UTF-8 bytes (<code>format: 'raw'</code> in the
library). Without it they are not signed: read the video before you believe one.</li>
<li>A task that you have no event of can be read as before: an event adds to the task, it doesn't replace it.</li>
</ul>

${heading(2, 'trimmed', 'Trimmed videos')}
<p>Of a reference video only what plays counts: its edit list is applied, and the provider gets exactly the frames and the sound that a player shows.
Declare that length in whole seconds, rounded up; two frames over a whole second, a tenth of a second at most, may count or not. A video that
is cut between two of its key frames is encoded again without visible loss. A video of several pieces is joined. An edit list that changes
the speed, holds a frame or shows nothing between two pieces is <code>media_type_unsupported</code>: export the video again as one new file.</p>

${heading(2, 'rules', 'Rules beside the schemas')}
<p><a href="#listModels">GET /models</a> gives a JSON Schema for every model and mode, the very shapes the server checks by. What a schema can't
say stands in <code>rules</code>, for a program to evaluate: where every condition of <code>when</code> holds, <code>left</code> added up must
compare with <code>right</code> added up. A term is a number, <code>{"value": field}</code>, <code>{"sum": field}</code>,
<code>{"count": field}</code> or <code>{"trimmed_length": field}</code> (Unicode code points); a field left out counts as the term's
<code>default</code>, or 0. <code>well_formed</code> names a text without U+0000 and unpaired surrogates.</p>`
