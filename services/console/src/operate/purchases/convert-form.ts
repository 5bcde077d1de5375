import { type Html, html } from '@filmgate/kit/http/html'
import { termsPaid } from '../../billing/changes/plan-changes'
import { isUnconverted, type Reversal } from '../../billing/changes/plan-reversals'
import { money } from '../../billing/packs/packs'
import type { PurchaseWithReversals } from '../../billing/purchases/purchase-repository'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'

/** Reversals in other currencies whose share of the payment is unknown. */
export const unconvertedReversals = (purchase: PurchaseWithReversals): Reversal[] =>
  purchase.state === 'review' ? [] : purchase.reversals.filter(each => isUnconverted(termsPaid(purchase), each))

/** Why a purchase is in review. */
export const reviewReason = (purchase: PurchaseWithReversals): string | null => {
  const unconverted = unconvertedReversals(purchase).map(
    ({ kind, id, amount, currency }) => `the ${kind} ${id} is of ${money(amount, currency)}, and its share of the payment is not known`,
  )
  return unconverted.length > 0 ? unconverted.join('; ') : purchase.review
}

/** A form for each unconverted reversal. */
export const convertForms = (operator: Operator, purchase: PurchaseWithReversals, last: ActionRow | undefined): (Html | false)[] => {
  const { amount, currency } = termsPaid(purchase)
  return unconvertedReversals(purchase).map(reversal =>
    actionForm(operator, {
      action: 'dispute_converted',
      key: purchase.id,
      path: `/operate/purchases/${purchase.id}/disputes`,
      title: 'Set the share…',
      button: 'Set',
      description: `How much of the paid ${money(amount, currency)} does the ${reversal.kind} ${reversal.id} cover? Its share of the credits is taken back.`,
      confirmation: 'I checked the dispute at Stripe, and this is its part of the payment.',
      fields: html`<input type="hidden" name="reversal" value="${reversal.id}">
<label for="${reversal.id}-amount">Part of the payment, 0 to ${amount}, in the smallest unit of ${currency}</label>
<input id="${reversal.id}-amount" name="amount" inputmode="numeric" pattern="[0-9]{1,12}" required autocomplete="off">`,
      last,
    }),
  )
}
