/**
 * Of the job table: an event to apply, the changes of a purchase that the ledger is asked for, a purchase that Stripe
 * is asked about, a dispute in another currency whose share of the payment is looked up, a reconciliation with Stripe.
 */
export const eventKind = 'stripe.event'
export const changesKind = 'purchase.changes'
export const askKind = 'purchase.ask'
export const convertKind = 'reversal.convert'
export const reconcileKind = 'stripe.reconcile'
