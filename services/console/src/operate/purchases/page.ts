import { type Html, html } from '@filmgate/kit/http/html'
import type { PurchaseWithReversals } from '../../billing/purchases/purchase-repository'
import { credits, number } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import type { ActionRow } from '../actions/action-repository'
import { sections } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { facts, pages, table } from '../layout/parts'
import { acceptForm } from './accept-form'
import { accountCell, columns, createdCell, idList, modeTag, moneyOutText, prices, purchaseCells } from './cells'
import { convertForms, reviewReason } from './convert-form'
import { type PurchaseFilter, type Purchases, rowsMax } from './read-purchases'

type View = {
  operator: Operator
  url: string
  filter: PurchaseFilter
  purchases: Purchases
  last: ActionRow | undefined
  notice: Notice | undefined
}

export const purchasesPage = ({ operator, url, filter, purchases, last, notice }: View): string =>
  operatePage({
    operator,
    section: 'purchases',
    title: 'Purchases',
    notice,
    content: html`<form class="filter" method="get" action="${sections.purchases[0]}">
<div><label for="account">Account</label><input id="account" name="account" maxlength="200" value="${filter.account}"></div>
<div><button class="second">Show</button></div>
</form>
${filter.cursor === '' && firstPageParts(operator, purchases, last)}
<h2>${filter.cursor === '' ? 'Latest' : 'Older'}</h2>
${table('All purchases', columns, purchases.latest.rows.map(purchaseCells), 'No purchases.')}
${pages(url, purchases.latest.next)}`,
  })

const firstPageParts = (operator: Operator, { undecided, waiting }: Purchases, last: ActionRow | undefined): Html => html`<h2>In review</h2>
<p>Payments that differ from the pack’s price or belong to a closed account: no credits were granted. Check each at Stripe, then accept it here or refund it there. Also disputes in another currency whose share of the payment is unknown: no credits were taken back. Oldest first.</p>
${undecided.rows.length === 0 ? html`<p class="soft">Nothing to review.</p>` : undecided.rows.map(purchase => inReview(operator, purchase, last))}
${undecided.count > rowsMax && html`<p class="soft">${number(undecided.count - rowsMax)} more. They appear once these are decided, or when you filter by account.</p>`}
<h2>Waiting</h2>
<p>Not paid yet, or paid but not granted. Oldest first. Unpaid checkouts expire by themselves.</p>
${table('Waiting purchases', columns, waiting.rows.map(purchaseCells), 'None.')}
${waiting.more && html`<p class="soft">These are the oldest ${number(rowsMax)}; there are more.</p>`}`

const inReview = (
  operator: Operator,
  purchase: PurchaseWithReversals,
  last: ActionRow | undefined,
): Html => html`<section class="card attempt">
<h3>${prices(purchase).paid} for ${purchase.packName}${modeTag(purchase)}</h3>
${facts([
  ['Started', createdCell(purchase)],
  ['Account', accountCell(purchase)],
  ['Pack', `${purchase.packName}, version ${purchase.packVersion}: ${credits(purchase.credits)} for ${prices(purchase).price}`],
  ['Reversed', moneyOutText(purchase)],
  ['Reason', reviewReason(purchase)],
  ['Ids', idList(purchase)],
])}
${acceptForm(operator, purchase, last)}${convertForms(operator, purchase, last)}
</section>`
