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
        ? html`<p>Keys belong to an account’s owners, and you own none. Ask an owner of your account for a key, or open an account of your own.</p>
<p><a class="button" href="/accounts">Your accounts</a></p>`
        : html`<p>The reference is lent a key of your account that ends within the hour. What you send there spends the account’s <b>paid</b> credits, as any call of the API does.</p>
<form method="post" action="/try-it">
${state !== '' && hidden('state', state)}
<label for="account">Account</label>
<select id="account" name="account">${owned.map(({ accountId, accountName }) => html`<option value="${accountId}">${accountName}</option>`)}</select>
<p class="row"><button>Go to the reference</button></p>
</form>`,
  })
