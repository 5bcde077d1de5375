import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { Page, WebhookAttemptView, WebhookDeliveryView, WebhookEndpointView } from '../gateway/gateway'
import { hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { number, time } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { pages, table } from '../layout/table'
import { statusTag } from './page'

type View = MemberContext & {
  endpoint: WebhookEndpointView
  deliveries: Page<WebhookDeliveryView>
  /** What the list is narrowed to, or ''. */
  status: string
  cursor: string
  notice?: Notice | undefined
}

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

export const endpointPath = (accountId: string, endpointId: string): string =>
  `${accountPath(accountId, 'webhooks')}/${encodeURIComponent(endpointId)}`

/** An endpoint, what can be done with it, and what was sent to it. */
export function endpointPage({ person, member, memberships, endpoint, deliveries, status, cursor, notice }: View): string {
  const path = endpointPath(member.accountId, endpoint.id)
  return page({
    title: 'Webhook endpoint',
    person,
    account: { member, memberships, section: 'webhooks' },
    ...(notice && { notice }),
    content: html`<p><code>${endpoint.url}</code> ${statusTag(endpoint)}</p>
${endpoint.description !== '' && html`<p>${endpoint.description}</p>`}
<p class="soft">Events: ${endpoint.events.join(', ')}. Added ${time(endpoint.created_at)}.</p>
${endpoint.status === 'paused' && pausedPart(path, endpoint)}
<div class="row">
<form method="post" action="${path}/test"><button class="second">Send a test</button></form>
<a class="button second" href="${path}/rotate">Rotate the secret</a>
<a class="button second" href="${path}/remove">Remove</a>
</div>
<h2>Deliveries</h2>
<p class="soft">Of the last 30 days. Show: ${['', ...deliveryStatuses].map((each, index) => html`${index > 0 && ', '}${filterLink(path, each, status)}`)}.</p>
${deliveries.data.length === 0 ? html`<div class="empty"><p>There are no deliveries here.</p></div>` : deliveryTable(member.accountId, path, deliveries.data)}
${pages(path, { cursor, next: deliveries.next_cursor, query: { status } })}`,
  })
}

const pausedPart = (path: string, { paused_reason }: WebhookEndpointView): Html => html`<div class="panel">
<h2>Nothing is sent to this endpoint</h2>
<p>${paused_reason ?? 'It was paused.'} Repair it, then resume it. What failed meanwhile can be sent again from the list below.</p>
<form method="post" action="${path}/resume"><p class="row"><button>Resume</button></p></form>
</div>`

const filterLink = (path: string, status: string, shown: string): Html => {
  const label = status === '' ? 'all' : status
  return status === shown
    ? html`<strong aria-current="true">${label}</strong>`
    : html`<a href="${path}${status !== '' && `?status=${status}`}">${label}</a>`
}

const deliveryTable = (accountId: string, path: string, deliveries: WebhookDeliveryView[]): Html =>
  table(
    'Deliveries to this endpoint',
    [{ title: 'Event' }, { title: 'Video' }, { title: 'Status' }, { title: 'Attempts' }, { title: '' }],
    deliveries.map(delivery => [
      html`${delivery.event}<span class="sub">${time(delivery.created_at)}</span><span class="sub mono">${delivery.id}</span>`,
      delivery.task_id === null
        ? '—'
        : html`<a class="mono" href="${accountPath(accountId, 'tasks')}/${encodeURIComponent(delivery.task_id)}">${delivery.task_id}</a>`,
      html`${deliveryTag(delivery)}${delivery.next_attempt_at !== null && html`<span class="sub">next ${time(delivery.next_attempt_at)}</span>`}`,
      attemptList(delivery),
      html`<form method="post" action="${path}/replay">${hidden('delivery', delivery.id)}<button class="second">Send again<span class="hidden"> ${delivery.id}</span></button></form>`,
    ]),
  )

const deliveryTag = ({ status }: WebhookDeliveryView): Html =>
  html`<span class="tag${status === 'delivered' ? ' good' : status === 'failed' ? ' bad' : ''}">${status}</span>`

const attemptList = ({ attempts }: WebhookDeliveryView): Html =>
  attempts.length === 0
    ? html`None yet`
    : html`<details><summary>${number(attempts.length)}<span class="hidden"> attempts</span>, last: ${outcome(attempts.at(-1))}</summary>
<ol>${attempts.map(
        attempt =>
          html`<li>${time(attempt.at)}: ${outcome(attempt)}, ${number(attempt.duration_ms)} ms${attempt.answer !== null && html`<span class="sub mono">${attempt.answer}</span>`}</li>`,
      )}</ol></details>`

const outcome = (attempt: WebhookAttemptView | undefined): string => attempt?.error ?? String(attempt?.status ?? 'no answer')
