import { type Html, html } from '@filmgate/kit/http/html'
import { termsPaid } from '../../billing/changes/plan-changes'
import { isWhollyOut, moneyOutOf } from '../../billing/changes/plan-reversals'
import { money } from '../../billing/packs/packs'
import type { Purchase } from '../../billing/purchases/purchase'
import type { WithReversals } from '../../billing/purchases/purchase-repository'
import { stateWords } from '../../billing/words'
import { change, credits, number, time } from '../../layout/numbers'
import { accountLink, type Cell, type Column } from '../layout/parts'
import type { PurchaseRow } from './row-repository'

export const columns: Column[] = [
  'Begun',
  'Account',
  'Pack',
  { name: 'Price', number: true },
  { name: 'Money out', number: true },
  'State',
  { name: 'Credits', number: true },
  'Ids',
]

export const rowOf = (purchase: PurchaseRow): Cell[] => [
  whenOf(purchase),
  whoseOf(purchase),
  packOf(purchase),
  priceOf(purchase),
  outOf(purchase),
  stateOf(purchase),
  changesOf(purchase),
  html`<div class="wide-cell">${idsOf(purchase)}</div>`,
]

export const whenOf = ({ createdAt }: Purchase): Html => time(createdAt)
export const whoseOf = ({ accountId }: Purchase): Html => accountLink(accountId)

const packOf = ({ packName, credits: bought }: Purchase): Html => html`${packName}<span class="sub">${credits(bought)}</span>`

/** What the pack costs, and what was paid. */
export const moneyOf = ({ amount, currency, paidAmount, paidCurrency }: Purchase): { price: string; paid: string } => ({
  price: money(amount, currency),
  paid: money(paidAmount ?? amount, paidCurrency ?? currency),
})

function priceOf(purchase: Purchase): Html {
  const { price, paid } = moneyOf(purchase)
  return html`${price}${paid !== price && html`<span class="sub">${paid} paid</span>`}`
}

/** What of the money is refunded or held by a dispute, in what was paid; nothing where all of it is here. */
export function outOf(purchase: WithReversals): string {
  const out = moneyOutOf(termsPaid(purchase), purchase.reversals).reduce((sum, { counted }) => sum + counted, 0)
  return out === 0 ? '' : money(out, termsPaid(purchase).currency)
}

/** Money of Stripe's test mode is none. */
export const modeOf = ({ livemode }: Purchase): Html | false => !livemode && html` <span class="tag">test mode</span>`

function stateOf(purchase: WithReversals): Html {
  const { state, review } = purchase
  const isSentBack = state === 'review' && isWhollyOut(termsPaid(purchase), purchase.reversals)
  const [words, kind] = isSentBack
    ? ['sent back', '']
    : state === 'review'
      ? ['in review', 'bad']
      : [stateWords[state].tag, stateWords[state].kind]
  return html`<span class="tag ${kind}">${words}</span>${modeOf(purchase)}${review !== null && html`<span class="sub">${review}</span>`}`
}

/** What the ledger has granted and taken, and what it has not decided or has refused. */
function changesOf({ grantedCredits, takenCredits, undecidedChanges, refusal }: PurchaseRow): Html | false {
  if (grantedCredits === 0 && takenCredits === 0 && undecidedChanges === 0) return false
  return html`${grantedCredits > 0 && change(grantedCredits)}${takenCredits !== 0 && html`<span class="sub">${change(-takenCredits)}</span>`}${undecidedChanges > 0 && html`<span class="sub">${number(undecidedChanges)} not decided${refusal !== null && html`, refused: ${refusal.replaceAll('_', ' ')}`}</span>`}`
}

/** The purchase's own, by which Stripe finds it, and Stripe's. */
export function idsOf({ id, sessionId, paymentIntentId, invoiceId, reversals }: WithReversals): Html {
  const ids = [id, paymentIntentId, sessionId, invoiceId].filter(each => each !== null)
  return html`${ids.map(each => html`<code>${each}</code> `)}${reversals.map(
    each => html`<code>${each.id}</code> <span class="soft">${each.kind} ${each.status.replaceAll('_', ' ')}</span> `,
  )}`
}
