import { type Html, html } from '@filmgate/kit/http/html'
import { termsPaid } from '../../billing/changes/plan-changes'
import { isWhollyOut, moneyOutOf } from '../../billing/changes/plan-reversals'
import { money } from '../../billing/packs/packs'
import { stateText } from '../../billing/purchase-text'
import type { Purchase } from '../../billing/purchases/purchase'
import type { PurchaseWithReversals } from '../../billing/purchases/purchase-repository'
import { change, credits, number, time } from '../../layout/numbers'
import { accountLink, type Cell, type Column } from '../layout/parts'
import type { PurchaseRow } from './row-repository'

export const columns: Column[] = [
  'Started',
  'Account',
  'Pack',
  { name: 'Price', number: true },
  { name: 'Reversed', number: true },
  'Status',
  { name: 'Credits', number: true },
  'Ids',
]

export const purchaseCells = (purchase: PurchaseRow): Cell[] => [
  createdCell(purchase),
  accountCell(purchase),
  packCell(purchase),
  priceCell(purchase),
  moneyOutText(purchase),
  stateCell(purchase),
  changesCell(purchase),
  html`<div class="wide-cell">${idList(purchase)}</div>`,
]

export const createdCell = ({ createdAt }: Purchase): Html => time(createdAt)
export const accountCell = ({ accountId }: Purchase): Html => accountLink(accountId)

const packCell = ({ packName, credits: bought }: Purchase): Html => html`${packName}<span class="sub">${credits(bought)}</span>`

/** The pack's price and the paid amount. */
export const prices = ({ amount, currency, paidAmount, paidCurrency }: Purchase): { price: string; paid: string } => ({
  price: money(amount, currency),
  paid: money(paidAmount ?? amount, paidCurrency ?? currency),
})

function priceCell(purchase: Purchase): Html {
  const { price, paid } = prices(purchase)
  return html`${price}${paid !== price && html`<span class="sub">${paid} paid</span>`}`
}

/** The amount that is refunded or disputed, in the paid currency; '' if none. */
export function moneyOutText(purchase: PurchaseWithReversals): string {
  const out = moneyOutOf(termsPaid(purchase), purchase.reversals).reduce((sum, { counted }) => sum + counted, 0)
  return out === 0 ? '' : money(out, termsPaid(purchase).currency)
}

/** Payments in Stripe's test mode move no money. */
export const modeTag = ({ livemode }: Purchase): Html | false => !livemode && html` <span class="tag">test mode</span>`

function stateCell(purchase: PurchaseWithReversals): Html {
  const { state, review } = purchase
  const isSentBack = state === 'review' && isWhollyOut(termsPaid(purchase), purchase.reversals)
  const [label, kind] = isSentBack
    ? ['sent back', '']
    : state === 'review'
      ? ['in review', 'bad']
      : [stateText[state].tag, stateText[state].kind]
  return html`<span class="tag ${kind}">${label}</span>${modeTag(purchase)}${review !== null && html`<span class="sub">${review}</span>`}`
}

/** Credits that the ledger has granted and taken back, and changes that are undecided or refused. */
function changesCell({ grantedCredits, takenCredits, undecidedChanges, undecidedSince, refusal }: PurchaseRow): Html | false {
  if (grantedCredits === 0 && takenCredits === 0 && undecidedChanges === 0) return false
  const undecided =
    undecidedSince !== null &&
    html`<span class="sub"><span${waitsTooLong(Date.now() - undecidedSince.getTime()) && html` class="bad"`}>${number(undecidedChanges)} not decided since ${time(undecidedSince)}</span>${refusal !== null && html`, refused: ${refusal.replaceAll('_', ' ')}`}</span>`
  return html`${grantedCredits > 0 && change(grantedCredits)}${takenCredits !== 0 && html`<span class="sub">${change(-takenCredits)}</span>`}${undecided}`
}

/** The ledger decides within seconds. FilmgatePaymentsWait fires after the same time. */
export const waitsTooLong = (waitedMs: number): boolean => waitedMs > 300_000

/** The purchase's id, by which Stripe finds it, and Stripe's ids. */
export function idList({ id, sessionId, paymentIntentId, invoiceId, reversals }: PurchaseWithReversals): Html {
  const ids = [id, paymentIntentId, sessionId, invoiceId].filter(each => each !== null)
  return html`${ids.map(each => html`<code>${each}</code> `)}${reversals.map(
    each => html`<code>${each.id}</code> <span class="soft">${each.kind} ${each.status.replaceAll('_', ' ')}</span> `,
  )}`
}
