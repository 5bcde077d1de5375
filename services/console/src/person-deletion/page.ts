import { html } from '@filmgate/kit/http/html'
import type { Person } from '../http/person'
import { field } from '../layout/field'
import { accountPath } from '../layout/menu'
import { page } from '../layout/page'
import { table } from '../layout/table'
import type { SolelyOwnedAccount } from './person-data-repository'

type View = { person: Person; solelyOwned: SolelyOwnedAccount[]; issue?: string }

export const personDeletionPage = ({ person, solelyOwned, issue }: View): string =>
  page({
    title: 'Delete your profile',
    person,
    content: html`<p>This erases your name, your e-mail address, your password and passkeys, your sessions and your memberships.</p>
<p>Accounts with other owners stay. Their audit log shows a pseudonym instead of your address. Records of charges and payments are kept as long as the law requires. A hash of your mailbox records that it got starter credits.</p>
<p><a href="/security/export" download>Download your data</a></p>
${
  solelyOwned.length > 0
    ? html`<h2>First, accounts that only you own</h2>
<p>Delete them, or make somebody else an owner.</p>
${table(
  'Accounts that only you own',
  [{ title: 'Account' }, { title: '' }],
  solelyOwned.map(({ accountId, accountName }) => [
    accountName,
    html`<div class="row"><a class="button second" href="${accountPath(accountId, 'members')}">Members<span class="hidden"> of ${accountName}</span></a>
<a class="button second" href="${accountPath(accountId, 'settings')}/delete">Delete…<span class="hidden"> ${accountName}</span></a></div>`,
  ]),
)}`
    : html`<form method="post" class="panel danger">
${field({ name: 'email', label: 'Type your e-mail address to confirm', type: 'email', issue, required: true })}
<p class="row"><button class="danger">Delete permanently</button> <a class="button second" href="/security">Cancel</a></p>
</form>`
}`,
  })
