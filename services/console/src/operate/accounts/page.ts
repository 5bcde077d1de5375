import { html } from '@filmgate/kit/http/html'
import type { AccountRow } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { date, number } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import type { ActionRow } from '../actions/action-repository'
import { accountPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { pages, table } from '../layout/parts'
import { openForm } from './open-form'

type View = {
  operator: Operator
  url: string
  name: string
  list: Listed<AccountRow>
  last: ActionRow | undefined
  notice: Notice | undefined
}

export const accountsPage = ({ operator, url, name, list, last, notice }: View): string =>
  operatePage({
    operator,
    section: 'accounts',
    title: 'Accounts',
    notice,
    content: html`<form class="filter" method="get" action="/operate/accounts">
<div><label for="name">Name contains</label><input id="name" name="name" maxlength="200" value="${name}"></div>
<div><button class="second">Search</button></div>
</form>
${table(
  'Accounts',
  ['Name', 'Account', { name: 'Paid', number: true }, { name: 'Starter', number: true }, 'Opened'],
  list.data.map(account => [
    html`<a href="${accountPath(account.account_id)}">${account.name}</a>`,
    html`<span class="mono">${account.account_id}</span>`,
    number(account.available),
    number(account.starter),
    date(account.created_at),
  ]),
  name === '' ? 'No accounts yet.' : 'No account matches.',
)}
${pages(url, list.next_cursor)}
${openForm(operator, last)}`,
  })
