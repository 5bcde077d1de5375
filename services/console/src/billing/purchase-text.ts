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
    text: 'Stripe could not be asked for a checkout, or is being asked just now. Nothing was paid.',
  },
  open: {
    tag: 'waiting for payment',
    kind: '',
    title: 'The payment is being confirmed',
    text: 'Stripe has not told us of a payment yet. If you have paid, this takes some seconds. You may leave this page: the credits come by themselves.',
  },
  processing: {
    tag: 'payment on its way',
    kind: '',
    title: 'The payment is on its way',
    text: 'You have completed the checkout, and the bank takes its time: with some ways to pay that is days. The credits come when the money does.',
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
    tag: 'being looked at',
    kind: 'bad',
    title: 'We are looking at this payment',
    text: 'A payment has arrived that is not as the pack says, so no credits were added by themselves. We look at it and add them, or pay the money back.',
  },
}

/** The text of a purchase, including credits that were taken back. */
export function purchaseText({ state, takenCredits, isDisputed }: ListedPurchase): Pick<PurchaseText, 'title' | 'text'> {
  if (takenCredits === 0) return stateText[state]
  const summary = `${credits(takenCredits)} of this purchase were taken back`
  const text = isDisputed
    ? `${summary}, as the payment is disputed at its bank. They return if the money does.`
    : `${summary}, as money of it was refunded.`
  return { title: 'Credits were taken back', text }
}
