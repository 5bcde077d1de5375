import { type Html, html } from '@filmgate/kit/http/html'
import type { WithReversals } from '../../billing/purchases/purchase-repository'
import { credits, number } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { rooms } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { facts, pages, table } from '../layout/parts'
import { acceptForm } from './accept-form'
import { columns, idsOf, modeOf, moneyOf, outOf, rowOf, whenOf, whoseOf } from './cells'
import { convertForms, whyOf } from './convert-form'
import { type Asked, type Purchases, shownMax } from './read-purchases'

type Shown = {
  operator: Operator
  url: string
  asked: Asked
  purchases: Purchases
  last: ActRow | undefined
  notice: Notice | undefined
}

export const purchasesPage = ({ operator, url, asked, purchases, last, notice }: Shown): string =>
  operatePage({
    operator,
    room: 'purchases',
    title: 'Purchases',
    notice,
    content: html`<form class="filter" method="get" action="${rooms.purchases[0]}">
<div><label for="account">Account</label><input id="account" name="account" maxlength="200" value="${asked.account}"></div>
<div><button class="second">Show</button></div>
</form>
${asked.cursor === '' && firstParts(operator, purchases, last)}
<h2>${asked.cursor === '' ? 'Latest' : 'Older'}</h2>
${table('All purchases', columns, purchases.latest.rows.map(rowOf), 'Nothing was bought.')}
${pages(url, purchases.latest.next)}`,
  })

const firstParts = (operator: Operator, { undecided, waiting }: Purchases, last: ActRow | undefined): Html => html`<h2>In review</h2>
<p>Paid otherwise than the pack says, or for an account that was closed, so nothing was granted. Look each up at Stripe, then accept it here or refund it there. Or disputed in another currency, and Stripe does not show what that is of the payment, so nothing was taken. Oldest first.</p>
${undecided.rows.length === 0 ? html`<p class="soft">Nothing waits for a person.</p>` : undecided.rows.map(purchase => inReview(operator, purchase, last))}
${undecided.count > shownMax && html`<p class="soft">${number(undecided.count - shownMax)} more, which stand here once these are decided, or by their account.</p>`}
<h2>Waiting</h2>
<p>Not paid yet, or paid and not granted. Oldest first; a checkout that nobody pays ends by itself.</p>
${table('Waiting purchases', columns, waiting.rows.map(rowOf), 'Nothing is waited for.')}
${waiting.more && html`<p class="soft">These are the oldest ${number(shownMax)}; there are more.</p>`}`

const inReview = (operator: Operator, purchase: WithReversals, last: ActRow | undefined): Html => html`<section class="card attempt">
<h3>${moneyOf(purchase).paid} for ${purchase.packName}${modeOf(purchase)}</h3>
${facts([
  ['Begun', whenOf(purchase)],
  ['Account', whoseOf(purchase)],
  ['Pack', `${purchase.packName}, version ${purchase.packVersion}: ${credits(purchase.credits)} for ${moneyOf(purchase).price}`],
  ['Money out', outOf(purchase)],
  ['Why', whyOf(purchase)],
  ['Ids', idsOf(purchase)],
])}
${acceptForm(operator, purchase, last)}${convertForms(operator, purchase, last)}
</section>`
