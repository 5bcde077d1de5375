import type { Html } from '@filmgate/kit/http/html'
import { money } from '../../billing/packs/packs'
import type { Purchase } from '../../billing/purchases/purchase'
import { credits } from '../../layout/numbers'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'

type View = Pick<Purchase, 'id' | 'state' | 'paymentIntentId' | 'credits' | 'amount' | 'currency' | 'paidAmount' | 'paidCurrency'>

/** Of a purchase in review that a payment is known of; of any other, and for a lower role, nothing. */
export function acceptForm(operator: Operator, purchase: View, last: ActRow | undefined): Html | false {
  const { id, state, paymentIntentId, amount, currency, paidAmount, paidCurrency } = purchase
  if (state !== 'review' || !paymentIntentId) return false
  const paid = money(paidAmount ?? amount, paidCurrency ?? currency)
  return actForm(operator, {
    act: 'purchase_accepted',
    key: id,
    path: `/operate/purchases/${id}/accept`,
    title: 'Accept…',
    button: 'Accept',
    what: `${paid} were paid, and the pack costs ${money(amount, currency)}. Its ${credits(purchase.credits)} are granted for what was paid; refunds and disputes take their share of them back. To decline it, refund it at Stripe.`,
    meant: `I looked at the payment at Stripe, and ${paid} are enough.`,
    last,
  })
}
