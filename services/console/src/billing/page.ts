import { type Html, html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import { isAtLeast } from '../accounts/roles'
import type { AccountView } from '../gateway/gateway'
import type { Person } from '../http/person'
import { newFormId } from '../http/submit-once'
import { accountPath } from '../layout/menu'
import { credits, figureCard, number, time } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { table } from '../layout/table'
import { thresholdForm } from './low-balance'
import { money, type Pack, termsOf, unitPrice } from './packs/packs'
import { stateText } from './purchase-text'
import { purchasePath } from './purchases/buy'
import type { ListedPurchase, Purchase } from './purchases/purchase'

type View = {
  person: Person
  member: Membership
  memberships: Membership[]
  account: AccountView
  /** Undefined if buying is off. */
  packs: Pack[] | undefined
  /** Whom to ask for credits then. */
  contact: string | undefined
  purchases: ListedPurchase[]
  /** Cursor of the next page. */
  next: string | undefined
  hasCustomer: boolean
  /** A checkout that the person left without paying. */
  left: Purchase | undefined
  /** A threshold that can't be taken. */
  wrong?: { value: string; issue: string } | undefined
}

export function billingPage(shown: View): string {
  const { person, member, memberships, account, packs, left } = shown
  const notice = left && abandonedNotice(left)
  return page({
    title: 'Billing',
    person,
    account: { member, memberships, section: 'billing' },
    ...(notice && { notice }),
    content: html`<div class="cards figures">
${figureCard('Paid balance', account.available_credits, 'for the API and the console')}
${figureCard('Starter credits', account.starter_credits, 'spent first, only in the console')}
${Boolean(account.owed_credits) && figureCard('Owed', account.owed_credits ?? 0, 'from refunded or disputed payments; deducted from your next purchase')}
</div>
<h2>${packs ? 'Buy credits' : 'Get credits'}</h2>
${packs ? packList(member, packs) : contactNote(shown)}
${packs !== undefined && shown.hasCustomer && isAtLeast(member.role, 'owner') && portalForm(member)}
${isAtLeast(member.role, 'owner') && thresholdForm({ accountId: member.accountId, account, wrong: shown.wrong })}
${(packs !== undefined || shown.purchases.length > 0) && html`<h2>Purchases</h2>`}
${shown.purchases.length > 0 ? purchaseTable(shown) : packs !== undefined && html`<div class="empty"><p>No purchases yet.</p></div>`}`,
  })
}

/** The account's id tells whoever gives the credits where they belong. */
const contactNote = ({ contact, member }: View): Html =>
  html`<p>Credits are not sold here. To get some, ${contact === undefined ? 'ask the operator of this installation' : contactLink(contact)}. Name this account: <code>${member.accountId}</code>.</p>`

const contactLink = (contact: string): Html =>
  contact.startsWith('https:')
    ? html`go to <a href="${contact}" rel="noopener">${contact.slice('https://'.length)}</a>`
    : html`write to <a href="mailto:${contact}">${contact}</a>`

/** The checkout can still be paid in another tab, so only the leaving is certain. */
const abandonedNotice = (left: Purchase): Notice | undefined =>
  left.state === 'open'
    ? {
        kind: 'done',
        text: html`You left the checkout. You are only charged if you complete it.${left.checkoutUrl !== null && html` <a href="${left.checkoutUrl}">Back to the checkout</a>`}`,
      }
    : { kind: 'done', text: html`${stateText[left.state].title}. <a href="${purchasePath(left)}">See the purchase</a>` }

const packList = (member: Membership, packs: Pack[]): Html => {
  const isOwner = isAtLeast(member.role, 'owner')
  return html`<p class="soft">${credits(1)} is 0.01 USD of list price. You pay at Stripe, which stores your card. The receipt and the invoice are listed with the purchase.</p>
${!isOwner && html`<p>Only owners of the account can buy credits.</p>`}
<div class="cards packs">${packs.map(pack => packCard(member, pack, isOwner))}</div>`
}

const packCard = (member: Membership, pack: Pack, isOwner: boolean): Html => html`<section class="card">
<h3 class="figure-name">${pack.name}</h3>
<p class="figure">${credits(pack.credits)}</p>
<p class="soft">${money(pack.amount, pack.currency)}, ${unitPrice(pack)} per credit</p>
${
  isOwner &&
  html`<form method="post" action="${accountPath(member.accountId, 'billing')}/purchases">
<input type="hidden" name="form" value="${newFormId()}">
<input type="hidden" name="pack" value="${pack.id}">
<input type="hidden" name="terms" value="${termsOf(pack)}">
<button>Buy ${number(pack.credits)} for ${money(pack.amount, pack.currency)}</button>
</form>`
}
</section>`

const portalForm = (
  member: Membership,
): Html => html`<form method="post" action="${accountPath(member.accountId, 'billing')}/portal" class="row">
<button class="second">Manage cards, addresses and invoices at Stripe</button>
</form>`

const columns = [
  { title: 'Started' },
  { title: 'Pack' },
  { title: 'Credits', number: true },
  { title: 'Price', number: true },
  { title: 'Status' },
  { title: 'Documents' },
]

const purchaseTable = ({ member, purchases, next }: View): Html => html`${table('Purchases', columns, purchases.map(purchaseCells))}
${next !== undefined && html`<p class="pages"><a href="${accountPath(member.accountId, 'billing')}?before=${next}">Older purchases</a></p>`}`

const purchaseCells = (purchase: ListedPurchase) => {
  const { tag, kind } = stateText[purchase.state]
  return [
    html`<a href="${purchasePath(purchase)}">${time(purchase.createdAt)}</a>`,
    purchase.packName,
    number(purchase.credits),
    money(purchase.amount, purchase.currency),
    html`<span class="tag ${kind}">${tag}</span>${takenBackTag(purchase)}`,
    documentLinks(purchase) ?? '—',
  ]
}

const takenBackTag = ({ takenCredits, isDisputed }: ListedPurchase): Html | undefined =>
  takenCredits > 0 ? html` <span class="tag bad">${number(takenCredits)} taken back${isDisputed && ', disputed'}</span>` : undefined

export const documentLinks = (purchase: Purchase): Html | undefined =>
  purchase.paymentIntentId === null
    ? undefined
    : html`<a href="${purchasePath(purchase)}/receipt">Receipt</a>${purchase.invoiceId !== null && html` · <a href="${purchasePath(purchase)}/invoice">Invoice</a>`}`
