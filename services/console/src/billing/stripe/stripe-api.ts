import type { DisputeShares } from '../changes/converted-amount'
import type { StripeEvent } from '../events/receive-event'
import type { Purchase } from '../purchases/purchase'
import type { ReversalFact, SessionFact } from './facts'
import type { ListedPage, Period, StripeList } from './list-page'

export type OpenedSession = SessionFact & { url: string | null }
export type CheckoutPages = { successUrl: string; cancelUrl: string }
/** Where the papers of a payment can be read, at Stripe. */
export type Papers = { receipt: string | null; invoice: string | null }

/** `gone`: who was deleted at Stripe, and is to be replaced. */
export type NewCustomer = { accountId: string; accountName: string; email: string; gone?: string | undefined }

export class CustomerGoneError extends Error {
  override name = 'CustomerGoneError'
}

/** What is asked of Stripe. What can't be asked now is the failure `payments_unavailable`. */
export type StripeApi = {
  /** Whether the key moves money. */
  livemode: boolean
  createCustomer(customer: NewCustomer): Promise<string>
  /** The same purchase again is the same checkout. Throws a CustomerGoneError where nobody is that customer. */
  createSession(purchase: Purchase, customerId: string, pages: CheckoutPages): Promise<OpenedSession>
  findSession(sessionId: string): Promise<OpenedSession>
  /** An open one can't be paid any more. */
  endSession(sessionId: string): Promise<OpenedSession>
  /** The customer's checkouts that were begun since then. */
  listSessions(customerId: string, since: Date): Promise<OpenedSession[]>
  listReversals(paymentIntentId: string): Promise<ReversalFact[]>
  findDisputeShares(disputeId: string): Promise<DisputeShares>
  /** A page of the charges, refunds or disputes of a period, after the object of that id where it is given. */
  listPage(list: StripeList, period: Period, after: string | undefined): Promise<ListedPage>
  createPortalUrl(customerId: string, returnUrl: string): Promise<string>
  findPapers(purchase: Purchase): Promise<Papers>
  /** The event, if the signature is Stripe's over these bytes and not older than five minutes; throws otherwise. */
  verify(payload: Uint8Array, signature: string): Promise<StripeEvent>
  /** Events that none of our endpoints has taken, since then. */
  listUndelivered(since: Date): Promise<StripeEvent[]>
}
