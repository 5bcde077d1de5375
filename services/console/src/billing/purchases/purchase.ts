import type { PurchaseState } from './purchase-states'

/** A pack that somebody asked to buy, at the terms that it had then. */
export type Purchase = {
  /** The form's. */
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
  /** Why an operator has to look at it, and had to where it was accepted. */
  review: string | null
  /** What has come, where a payment has: not the pack's amount where it was, or is, in review. */
  paidAmount: number | null
  paidCurrency: string | null
  createdAt: Date
  heardAt: Date | null
}

export type NewPurchase = Pick<
  Purchase,
  'id' | 'accountId' | 'personId' | 'packId' | 'packVersion' | 'packName' | 'credits' | 'amount' | 'currency' | 'livemode'
>

/** With what went back of it, in credits, and what of that the balance did not have. */
export type ListedPurchase = Purchase & { takenCredits: number; isDisputed: boolean }

/** What can be opened at Stripe after a checkout was begun: it ends by itself then. */
export const checkoutLifeMs = 2 * 3_600_000
