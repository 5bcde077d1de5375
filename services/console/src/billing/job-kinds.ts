/**
 * Kinds of jobs: apply an event, send a purchase's changes to the ledger, refresh a purchase from Stripe, convert a
 * dispute's amount, reconcile with Stripe.
 */
export const eventKind = 'stripe.event'
export const changesKind = 'purchase.changes'
export const refreshKind = 'purchase.ask'
export const convertKind = 'reversal.convert'
export const reconcileKind = 'stripe.reconcile'
