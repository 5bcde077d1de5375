import { html } from '@filmgate/kit/http/html'
import type { AccountRow } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { date, number } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { accountPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { pages, table } from '../layout/parts'
import { openForm } from './open-form'

type Shown = {
  operator: Operator
  url: string
  name: string
  list: Listed<AccountRow>
  last: ActRow | undefined
  notice: Notice | undefined
}

export const accountsPage = ({ operator, url, name, list, last, notice }: Shown): string =>
  operatePage({
    operator,
    room: 'accounts',
    title: 'Accounts',
    notice,
    content: html`<form class="filter" method="get" action="/operate/accounts">
<div><label for="name">Words of the name</label><input id="name" name="name" maxlength="200" value="${name}"></div>
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
  name === '' ? 'There is no account yet.' : 'No account has these words in its name.',
)}
${pages(url, list.next_cursor)}
${openForm(operator, last)}`,
  })
