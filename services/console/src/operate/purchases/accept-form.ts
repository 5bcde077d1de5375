import type { Html } from '@filmgate/kit/http/html'
import { money } from '../../billing/packs/packs'
import type { Purchase } from '../../billing/purchases/purchase'
import { credits } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'

type View = Pick<Purchase, 'id' | 'state' | 'paymentIntentId' | 'credits' | 'amount' | 'currency' | 'paidAmount' | 'paidCurrency'>

/** The form to accept a paid purchase in review; nothing for other purchases or a lower role. */
export function acceptForm(operator: Operator, purchase: View, last: ActionRow | undefined): Html | false {
  const { id, state, paymentIntentId, amount, currency, paidAmount, paidCurrency } = purchase
  if (state !== 'review' || !paymentIntentId) return false
  const paid = money(paidAmount ?? amount, paidCurrency ?? currency)
  return actionForm(operator, {
    action: 'purchase_accepted',
    key: id,
    path: `/operate/purchases/${id}/accept`,
    title: 'Accept…',
    button: 'Accept',
    description: `The customer paid ${paid}; the pack costs ${money(amount, currency)}. Accepting grants its ${credits(purchase.credits)}. Refunds and disputes take back their share. To decline, refund it at Stripe.`,
    confirmation: `I checked the payment at Stripe, and ${paid} is enough.`,
    last,
  })
}
