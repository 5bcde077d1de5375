import { type Html, html } from '@filmgate/kit/http/html'
import type { RequestRow } from '@filmgate/proto/operator/account'
import { number, time } from '../layout/numbers'
import { table } from '../layout/table'

/** `taskPath`: where a task is shown. `owner`: whose request it is, the last column. */
type Options = { taskPath(id: string): string; ownerTitle: string; owner(request: RequestRow): Html | string }

/** Requests, newest first, each with its request ID and what it was answered where it was refused. */
export const requestTable = (requests: RequestRow[], { taskPath, ownerTitle, owner }: Options): Html =>
  table(
    'Requests, newest first',
    [{ title: 'Request' }, { title: 'Answer' }, { title: 'Time' }, { title: 'Took', number: true }, { title: ownerTitle }],
    requests.map(request => [
      html`<code>${request.method} ${request.path}</code>${request.task_id !== null && html`<span class="sub"><a class="mono" href="${taskPath(request.task_id)}">${request.task_id}</a></span>`}
<details class="sub"><summary>Details<span class="hidden"> of ${request.method} at ${request.created_at}</span></summary>
<p class="soft">Request ID <span class="mono">${request.request_id}</span></p>
${request.refusal !== null && html`<pre class="answer" tabindex="0"><code>${JSON.stringify(request.refusal, null, 2)}</code></pre>`}</details>`,
      html`<span class="tag${request.status < 400 ? ' good' : ' bad'}">${request.status}</span>${request.code !== null && html`<span class="sub">${request.code}</span>`}`,
      time(request.created_at),
      tookText(request.duration_ms),
      owner(request),
    ]),
  )

const tookText = (ms: number): string => (ms < 1_000 ? `${number(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`)
