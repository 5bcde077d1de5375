import { html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { KeyView } from '../gateway/gateway'
import { hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { time } from '../layout/numbers'
import { type Notice, page } from '../layout/page'

type View = MemberContext & { key: KeyView; formId: string; notice?: Notice }

const lastUsed = ({ last_used_at }: KeyView) =>
  last_used_at === null ? 'It has never been used.' : html`It was last used ${time(last_used_at)}.`

export const rotatePage = ({ person, member, memberships, key, formId, notice }: View): string =>
  page({
    title: `Rotate “${key.name}”`,
    person,
    account: { member, memberships, section: 'keys' },
    ...(notice && { notice }),
    content: html`<p>The key gets a new secret, which is shown once. The previous secret works for another 24 hours, so that you can update your programs.</p>
<p class="soft"><code>${key.prefix}…</code> ${lastUsed(key)}</p>
<form method="post" class="row">${hidden('form', formId)}<button>Rotate</button> <a class="button second" href="${accountPath(member.accountId, 'keys')}">Cancel</a></form>`,
  })

export const revokePage = ({ person, member, memberships, key }: Omit<View, 'formId'>): string =>
  page({
    title: `Revoke “${key.name}”`,
    person,
    account: { member, memberships, section: 'keys' },
    content: html`<p>Requests with this key are rejected within 5 seconds. This can’t be undone. Videos in progress are completed.</p>
<p class="soft"><code>${key.prefix}…</code> ${lastUsed(key)}</p>
<form method="post" class="row"><button class="danger">Revoke permanently</button> <a class="button second" href="${accountPath(member.accountId, 'keys')}">Cancel</a></form>`,
  })
