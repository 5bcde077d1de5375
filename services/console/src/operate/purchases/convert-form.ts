import { type Html, html } from '@filmgate/kit/http/html'
import { termsPaid } from '../../billing/changes/plan-changes'
import { isUnconverted, type Reversal } from '../../billing/changes/plan-reversals'
import { money } from '../../billing/packs/packs'
import type { WithReversals } from '../../billing/purchases/purchase-repository'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'

/** What of a purchase is out in another currency, without a known share of the payment. */
export const unconvertedOf = (purchase: WithReversals): Reversal[] =>
  purchase.state === 'review' ? [] : purchase.reversals.filter(each => isUnconverted(termsPaid(purchase), each))

/** Why a purchase is in review, in words. */
export const whyOf = (purchase: WithReversals): string | null => {
  const unconverted = unconvertedOf(purchase).map(
    ({ kind, id, amount, currency }) => `the ${kind} ${id} is of ${money(amount, currency)}, and its share of the payment is not known`,
  )
  return unconverted.length > 0 ? unconverted.join('; ') : purchase.review
}

/** A form for each of them. */
export const convertForms = (operator: Operator, purchase: WithReversals, last: ActRow | undefined): (Html | false)[] => {
  const { amount, currency } = termsPaid(purchase)
  return unconvertedOf(purchase).map(reversal =>
    actForm(operator, {
      act: 'dispute_converted',
      key: purchase.id,
      path: `/operate/purchases/${purchase.id}/disputes`,
      title: 'Set its share…',
      button: 'Set',
      what: `What of the ${money(amount, currency)} that were paid is out by ${reversal.kind} ${reversal.id}? Its share of the credits is taken.`,
      meant: 'I looked at the dispute at Stripe, and this is its part of the payment.',
      fields: html`<input type="hidden" name="reversal" value="${reversal.id}">
<label for="${reversal.id}-amount">Part of the payment, 0 to ${amount}, in the smallest unit of ${currency}</label>
<input id="${reversal.id}-amount" name="amount" inputmode="numeric" pattern="[0-9]{1,12}" required autocomplete="off">`,
      last,
    }),
  )
}
