import type { PurchaseState } from './purchase-states'

/** A purchase of a pack, at the pack's terms of that time. */
export type Purchase = {
  /** The form's id. */
  id: string
  accountId: string
  personId: string
  packId: string
  packVersion: number
  packName: string
  credits: number
  /** In the currency's smallest unit. */
  amount: number
  currency: string
  livemode: boolean
  state: PurchaseState
  sessionId: string | null
  checkoutUrl: string | null
  paymentIntentId: string | null
  invoiceId: string | null
  /** Why an operator has to review it, or had to before it was accepted. */
  review: string | null
  /**
   * The amount received, if there was a payment. Differs from the pack's price for a purchase that is or was in review.
   */
  paidAmount: number | null
  paidCurrency: string | null
  createdAt: Date
  lastEventAt: Date | null
}

export type NewPurchase = Pick<
  Purchase,
  'id' | 'accountId' | 'personId' | 'packId' | 'packVersion' | 'packName' | 'credits' | 'amount' | 'currency' | 'livemode'
>

/** With the credits that were taken back. */
export type ListedPurchase = Purchase & { takenCredits: number; isDisputed: boolean }

/** What is no purchase's id is looked up nowhere: the column is a uuid. */
export const isPurchaseId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** How long a Stripe checkout can be paid before it expires. */
export const checkoutLifeMs = 2 * 3_600_000
