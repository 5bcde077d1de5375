import { html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { WebhookEndpointView, WebhookSecret } from '../gateway/gateway'
import { secretField, secretScript } from '../keys/secret-field'
import { hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { time } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { endpointPath } from './endpoint-page'

type View = MemberContext & { endpoint: WebhookEndpointView }

export const rotatePage = ({ person, member, memberships, endpoint, formId, notice }: View & { formId: string; notice?: Notice }): string =>
  page({
    title: 'Rotate the secret',
    person,
    account: { member, memberships, section: 'webhooks' },
    ...(notice && { notice }),
    content: html`<p>The endpoint gets a new secret, which is shown once. For a while events are signed with both, so that you can update your programs.</p>
<p><code>${endpoint.url}</code></p>
<form method="post" class="row">${hidden('form', formId)}<button>Rotate</button> <a class="button second" href="${endpointPath(member.accountId, endpoint.id)}">Cancel</a></form>`,
  })

export const removePage = ({ person, member, memberships, endpoint }: View): string =>
  page({
    title: 'Remove the endpoint',
    person,
    account: { member, memberships, section: 'webhooks' },
    content: html`<p>Nothing more is sent to it, and its deliveries can’t be seen any more. This can’t be undone.</p>
<p><code>${endpoint.url}</code></p>
<form method="post" class="row"><button class="danger">Remove</button> <a class="button second" href="${endpointPath(member.accountId, endpoint.id)}">Cancel</a></form>`,
  })

/** Shows a secret once. */
export const secretPage = ({
  person,
  member,
  memberships,
  apiOrigin,
  made,
}: MemberContext & { apiOrigin: string; made: WebhookSecret }): string => {
  const path = endpointPath(member.accountId, made.id)
  return page({
    title: made.former_secret_until === undefined ? 'Endpoint added' : 'Secret rotated',
    person,
    account: { member, memberships, section: 'webhooks' },
    scripts: [secretScript],
    notice: { kind: 'done', text: 'Copy the secret now and store it safely. It is not shown again.' },
    content: html`<p><code>${made.url}</code></p>
${secretField(made.secret, accountPath(member.accountId, 'webhooks'))}
${made.former_secret_until !== undefined && html`<p>Events are also signed with the previous secret until ${time(made.former_secret_until)}. Update your programs before then.</p>`}
<p>Your programs verify each event with it: the <a href="${apiOrigin}/docs/polling-and-webhooks#webhooks">reference</a> shows how.</p>
<p class="row"><a class="button" href="${path}">I have copied it</a></p>`,
  })
}
