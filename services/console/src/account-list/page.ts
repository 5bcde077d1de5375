import { type Html, html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import type { Person } from '../http/person'
import { field, hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { type Notice, page } from '../layout/page'
import { table } from '../layout/table'
import { nameLengthMax } from '../people/name'

type View = { person: Person; memberships: Membership[]; formId: string; name?: string; issue?: string; notice?: Notice | undefined }

export const accountsPage = ({ person, memberships, formId, name = '', issue, notice }: View): string =>
  page({
    title: 'Accounts',
    person,
    ...(notice && { notice }),
    content: html`${memberships.length === 0 ? html`<div class="empty"><p>You are not a member of any account. Open one, or ask for an invitation.</p></div>` : list(memberships)}
<form class="panel" method="post" action="/accounts">
<h2>Open another account</h2>
<p>Each account has its own credits, keys, tasks and members.</p>
${hidden('form', formId)}
${field({ name: 'name', label: 'Name', value: name, issue, required: true, maxLength: nameLengthMax })}
<p class="row"><button>Open the account</button></p>
</form>`,
  })

const list = (memberships: Membership[]): Html =>
  table(
    'Your accounts',
    [{ title: 'Account' }, { title: 'Your role' }],
    memberships.map(({ accountId, accountName, role }) => [html`<a href="${accountPath(accountId)}">${accountName}</a>`, role]),
  )
