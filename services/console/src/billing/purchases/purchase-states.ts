import { invariant } from '@filmgate/kit/failure'

export const purchaseStates = ['created', 'open', 'processing', 'paid', 'granted', 'expired', 'failed', 'review'] as const
export type PurchaseState = (typeof purchaseStates)[number]

/** What is learnt of a purchase. */
export type PurchaseWord =
  | 'opened' // Stripe has its checkout
  | 'awaited' // the checkout is complete, the money takes its days
  | 'paid' // as the pack says
  | 'mismatched' // paid, and not as the pack says, or for an account that was closed
  | 'expired' // the checkout ended without a payment
  | 'failed' // the money that was awaited did not come
  | 'accepted' // what was paid is taken as the price, by an operator
  | 'granted' // the ledger has decided

/**
 * Words come in any order and more than once: one that is late leaves the state as it is. Money that came is worth more than what was told
 * before. What is missing here is a mistake of ours.
 */
const moves: Readonly<Record<PurchaseState, Partial<Record<PurchaseWord, PurchaseState>>>> = {
  created: { opened: 'open', awaited: 'processing', paid: 'paid', mismatched: 'review', expired: 'expired', failed: 'failed' },
  open: { opened: 'open', awaited: 'processing', paid: 'paid', mismatched: 'review', expired: 'expired', failed: 'failed' },
  processing: { opened: 'processing', awaited: 'processing', paid: 'paid', mismatched: 'review', expired: 'processing', failed: 'failed' },
  expired: { opened: 'expired', awaited: 'processing', paid: 'paid', mismatched: 'review', expired: 'expired', failed: 'failed' },
  failed: { opened: 'failed', awaited: 'failed', paid: 'paid', mismatched: 'review', expired: 'failed', failed: 'failed' },
  paid: { opened: 'paid', awaited: 'paid', paid: 'paid', mismatched: 'paid', expired: 'paid', failed: 'paid', granted: 'granted' },
  granted: {
    ...{ opened: 'granted', awaited: 'granted', paid: 'granted', mismatched: 'granted' },
    ...{ expired: 'granted', failed: 'granted', granted: 'granted' },
  },
  review: {
    ...{ opened: 'review', awaited: 'review', paid: 'review', mismatched: 'review', expired: 'review', failed: 'review' },
    accepted: 'paid',
  },
}

export function nextState(state: PurchaseState, word: PurchaseWord): PurchaseState {
  const next = moves[state][word]
  invariant(next, `a purchase that is ${state} can't be ${word}`)
  return next
}

/** Nothing more is expected to be told of its payment. */
export const isEnded = (state: PurchaseState): boolean =>
  state === 'granted' || state === 'expired' || state === 'failed' || state === 'review'
