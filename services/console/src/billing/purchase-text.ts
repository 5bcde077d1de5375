import { credits } from '../layout/numbers'
import type { ListedPurchase } from './purchases/purchase'
import type { PurchaseState } from './purchases/purchase-states'

type PurchaseText = { tag: string; kind: '' | 'good' | 'bad'; title: string; text: string }

/** The texts of a purchase's states. They state only what is known. */
export const stateText: Readonly<Record<PurchaseState, PurchaseText>> = {
  created: {
    tag: 'not opened',
    kind: '',
    title: 'The checkout was not opened',
    text: 'Stripe has not created the checkout yet. Nothing was paid.',
  },
  open: {
    tag: 'waiting for payment',
    kind: '',
    title: 'The payment is being confirmed',
    text: 'Stripe has not reported a payment yet. If you have paid, this takes a few seconds. You can leave this page. The credits are added automatically.',
  },
  processing: {
    tag: 'payment pending',
    kind: '',
    title: 'The payment is pending',
    text: 'You have completed the checkout. Some payment methods take days. The credits are added when the payment arrives.',
  },
  paid: {
    tag: 'paid',
    kind: '',
    title: 'Paid: the credits are being added',
    text: 'The payment has arrived. The credits will be in your balance in a moment.',
  },
  granted: {
    tag: 'credits added',
    kind: 'good',
    title: 'The credits are in your balance',
    text: 'The payment has arrived and the credits were added.',
  },
  expired: { tag: 'not paid', kind: '', title: 'Nothing was paid', text: 'The checkout ended without a payment. Nothing was charged.' },
  failed: {
    tag: 'failed',
    kind: 'bad',
    title: 'The payment failed',
    text: 'The bank did not send the money. Nothing was charged, and no credits were added.',
  },
  review: {
    tag: 'in review',
    kind: 'bad',
    title: 'This payment is in review',
    text: 'The payment differs from the pack’s price, so no credits were added automatically. We will add them or refund the payment.',
  },
}

/** The text of a purchase, including credits that were taken back. */
export function purchaseText({ state, takenCredits, isDisputed }: ListedPurchase): Pick<PurchaseText, 'title' | 'text'> {
  if (takenCredits === 0) return stateText[state]
  const summary = `${credits(takenCredits)} of this purchase were taken back`
  const text = isDisputed
    ? `${summary}, because the payment is disputed. They are added again if the payment is restored.`
    : `${summary}, because it was refunded.`
  return { title: 'Credits were taken back', text }
}
