import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { WebhookEndpointView } from '../gateway/gateway'
import { field, hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { date } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { table } from '../layout/table'

export const webhookEvents = ['task.completed', 'task.failed', 'task.in_review', 'balance.low'] as const
type WebhookEvent = (typeof webhookEvents)[number]
export type NewEndpointFields = { url: string; description: string; events: WebhookEvent[] }
export type NewEndpointIssues = Partial<Record<keyof NewEndpointFields, string>>

export const urlLengthMax = 2_048
export const descriptionLengthMax = 200

type View = MemberContext & {
  /** Undefined if the list can't be read. */
  endpoints: WebhookEndpointView[] | undefined
  formId: string
  apiOrigin: string
  fields?: NewEndpointFields | undefined
  issues?: NewEndpointIssues | undefined
  notice?: Notice | undefined
}

const eventLabels: Record<WebhookEvent, string> = {
  'task.completed': 'A video is ready',
  'task.failed': 'A video has failed',
  'task.in_review': 'A video is in review',
  'balance.low': 'The paid credits fall below the threshold on the billing page',
}

const everything: NewEndpointFields = { url: '', description: '', events: [...webhookEvents] }

export function webhooksPage(view: View): string {
  const { person, member, memberships, endpoints, apiOrigin, notice } = view
  return page({
    title: 'Webhooks',
    person,
    account: { member, memberships, section: 'webhooks' },
    ...(notice && { notice }),
    content: html`<p>Filmgate tells your programs about videos of the API as soon as they end. Each event is signed: the <a href="${apiOrigin}/docs/polling-and-webhooks#webhooks">reference</a> shows how to verify it.</p>
${endpoints !== undefined && newEndpointForm(view)}
<h2>Endpoints</h2>
${
  endpoints === undefined
    ? html`<p class="soft">The endpoints can’t be shown at the moment.</p>`
    : endpoints.length === 0
      ? html`<div class="empty"><p>There are no endpoints yet.</p></div>`
      : endpointTable(accountPath(member.accountId, 'webhooks'), endpoints)
}`,
  })
}

const newEndpointForm = ({
  member,
  formId,
  fields = everything,
  issues = {},
}: View): Html => html`<form class="panel" method="post" action="${accountPath(member.accountId, 'webhooks')}">
<h2>Add an endpoint</h2>
${hidden('form', formId)}
${field({ name: 'url', label: 'Address', value: fields.url, hint: 'It starts with https:// and can be reached from the internet.', issue: issues.url, required: true, maxLength: urlLengthMax })}
${field({ name: 'description', label: 'Description (optional)', value: fields.description, issue: issues.description, maxLength: descriptionLengthMax })}
<fieldset>
<legend>Tell it when</legend>
${webhookEvents.map(
  event =>
    html`<label class="check"><input type="checkbox" name="events" value="${event}"${fields.events.includes(event) && html` checked`}>${eventLabels[event]}</label>`,
)}
${issues.events !== undefined && html`<p class="issue">${issues.events}</p>`}
</fieldset>
<p class="row"><button>Add endpoint</button></p>
</form>`

const endpointTable = (path: string, endpoints: WebhookEndpointView[]): Html =>
  table(
    'Webhook endpoints of this account',
    [{ title: 'Address' }, { title: 'Events' }, { title: 'Added' }, { title: 'Status' }],
    endpoints.map(endpoint => [
      html`<a href="${path}/${encodeURIComponent(endpoint.id)}">${endpoint.url}</a>${endpoint.description !== '' && html`<span class="sub">${endpoint.description}</span>`}`,
      endpoint.events.length === webhookEvents.length ? 'All' : endpoint.events.join(', '),
      date(endpoint.created_at),
      statusTag(endpoint),
    ]),
  )

export const statusTag = ({ status }: WebhookEndpointView): Html =>
  html`<span class="tag ${status === 'active' ? 'good' : 'bad'}">${status}</span>`
