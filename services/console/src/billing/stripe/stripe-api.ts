import type { DisputeShares } from '../changes/converted-amount'
import type { StripeEvent } from '../events/receive-event'
import type { Purchase } from '../purchases/purchase'
import type { ReversalFact, SessionFact } from './facts'
import type { ListedPage, Period, StripeList } from './list-page'

export type OpenedSession = SessionFact & { url: string | null }
export type CheckoutPages = { successUrl: string; cancelUrl: string }
/** URLs at Stripe where the documents of a payment can be read. */
export type PaymentDocuments = { receipt: string | null; invoice: string | null }

/** `gone`: the id of a customer that was deleted at Stripe and must be replaced. */
export type NewCustomer = { accountId: string; accountName: string; email: string; gone?: string | undefined }

export class CustomerGoneError extends Error {
  override name = 'CustomerGoneError'
}

/** The calls to Stripe. An unavailable Stripe throws the failure `payments_unavailable`. */
export type StripeApi = {
  /** Whether the key is a live key. */
  livemode: boolean
  createCustomer(customer: NewCustomer): Promise<string>
  /** Idempotent per purchase. Throws a CustomerGoneError if the customer doesn't exist. */
  createSession(purchase: Purchase, customerId: string, pages: CheckoutPages): Promise<OpenedSession>
  findSession(sessionId: string): Promise<OpenedSession>
  /** Expires an open checkout, so that it can't be paid. */
  endSession(sessionId: string): Promise<OpenedSession>
  /** The customer's checkouts that were created since then. */
  listSessions(customerId: string, since: Date): Promise<OpenedSession[]>
  listReversals(paymentIntentId: string): Promise<ReversalFact[]>
  findDisputeShares(disputeId: string): Promise<DisputeShares>
  /** A page of the charges, refunds or disputes of a period, after the given object id if any. */
  listPage(list: StripeList, period: Period, after: string | undefined): Promise<ListedPage>
  createPortalUrl(customerId: string, returnUrl: string): Promise<string>
  findDocuments(purchase: Purchase): Promise<PaymentDocuments>
  /** Returns the event if the signature is valid and its time within five minutes of ours, else throws. */
  verify(payload: Uint8Array, signature: string): Promise<StripeEvent>
  /** Events since then that were not delivered to any of our endpoints. */
  listUndelivered(since: Date): Promise<StripeEvent[]>
}
