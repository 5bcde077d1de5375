import { html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import type { Person } from '../http/person'
import { hidden } from '../layout/field'
import { page } from '../layout/page'

export const tryItPage = (person: Person, owned: Membership[], state: string): string =>
  page({
    title: 'Try the API in the reference',
    person,
    content:
      owned.length === 0
        ? html`<p>Only owners of an account can create keys, and you own none. Ask an owner for a key, or open an account of your own.</p>
<p><a class="button" href="/accounts">Your accounts</a></p>`
        : html`<p>The reference gets a temporary key of your account, which expires within the hour. Requests there are charged to the account’s <b>paid</b> credits, like any API call.</p>
<form method="post" action="/try-it">
${state !== '' && hidden('state', state)}
<label for="account">Account</label>
<select id="account" name="account">${owned.map(({ accountId, accountName }) => html`<option value="${accountId}">${accountName}</option>`)}</select>
<p class="row"><button>Go to the reference</button></p>
</form>`,
  })
