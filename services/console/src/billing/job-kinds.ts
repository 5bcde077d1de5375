/** Of the job table: an event to apply, the changes of a purchase that the ledger is asked for, a purchase that Stripe is asked about. */
export const eventKind = 'stripe.event'
export const changesKind = 'purchase.changes'
export const askKind = 'purchase.ask'
