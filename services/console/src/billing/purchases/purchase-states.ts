import { invariant } from '@filmgate/kit/failure'

export const purchaseStates = ['created', 'open', 'processing', 'paid', 'granted', 'expired', 'failed', 'review'] as const
export type PurchaseState = (typeof purchaseStates)[number]

/** Events of a purchase. */
export type PurchaseEvent =
  | 'opened' // Stripe has its checkout
  | 'awaited' // the checkout is complete, the money takes its days
  | 'paid' // as the pack says
  | 'mismatched' // paid, and not as the pack says, or for an account that was closed
  | 'expired' // the checkout ended without a payment
  | 'failed' // the money that was awaited did not come
  | 'accepted' // what was paid is taken as the price, by an operator
  | 'granted' // the ledger has decided

/**
 * Transitions by state and event. Events may repeat and arrive in any order: a late one keeps the state. A payment wins
 * over earlier events. A missing entry is a bug.
 */
const transitions: Readonly<Record<PurchaseState, Partial<Record<PurchaseEvent, PurchaseState>>>> = {
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

export function nextState(state: PurchaseState, event: PurchaseEvent): PurchaseState {
  const next = transitions[state][event]
  invariant(next, `a purchase that is ${state} can't be ${event}`)
  return next
}

/** No further event of the payment is expected. */
export const isEnded = (state: PurchaseState): boolean =>
  state === 'granted' || state === 'expired' || state === 'failed' || state === 'review'
