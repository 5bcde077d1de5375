import { html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import { isAtLeast } from '../accounts/roles'
import type { Person } from '../http/person'
import { accountPath } from '../layout/menu'
import { credits, time } from '../layout/numbers'
import { page } from '../layout/page'
import { money } from './packs/packs'
import { documentLinks } from './page'
import { purchaseText } from './purchase-text'
import { purchasePath } from './purchases/buy'
import type { ListedPurchase } from './purchases/purchase'
import { isEnded } from './purchases/purchase-states'

type View = { person: Person; member: Membership; memberships: Membership[]; purchase: ListedPurchase; isOn: boolean }

/**
 * Stripe redirects here after a payment. The page shows the known state, and its script polls until the credits arrive.
 */
export function purchasePage({ person, member, memberships, purchase, isOn }: View): string {
  const { title, text } = purchaseText(purchase)
  const watched = !isEnded(purchase.state)
  const bill = accountPath(member.accountId, 'billing')
  return page({
    title: 'Purchase',
    person,
    account: { member, memberships, section: 'billing' },
    scripts: ['purchase.browser.js'],
    content: html`<section class="card" id="purchase" role="status"${watched && html` data-state="${purchasePath(purchase)}/state"`}>
<h2 class="figure-name" data-part="title">${title}</h2>
<p class="figure">${credits(purchase.credits)}</p>
<p data-part="text">${text}</p>
</section>
<p class="row"><a class="button" href="${bill}">Back to billing</a>${documentLinks(purchase)}</p>
${watched && html`<noscript><p><a href="${purchasePath(purchase)}">Refresh</a></p></noscript>`}
<div class="scroll" tabindex="0" role="region" aria-label="Details"><table><tbody>
<tr><th scope="row">Pack</th><td>${purchase.packName}, version ${purchase.packVersion}</td></tr>
<tr><th scope="row">Price</th><td>${money(purchase.amount, purchase.currency)}</td></tr>
<tr><th scope="row">Started</th><td>${time(purchase.createdAt)}</td></tr>
<tr><th scope="row">Purchase</th><td><code>${purchase.id}</code></td></tr>
</tbody></table></div>
${
  isOn &&
  isAtLeast(member.role, 'owner') &&
  html`<form method="post" action="${purchasePath(purchase)}/ask" class="row"><button class="second">Refresh from Stripe</button></form>`
}`,
  })
}

/** The same as JSON, for the page's script. */
export const purchaseState = (purchase: ListedPurchase) => {
  const { state } = purchase
  const { title, text } = purchaseText(purchase)
  return { state, title, text, ended: isEnded(state) }
}
