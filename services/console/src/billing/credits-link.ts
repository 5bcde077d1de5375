import { type Html, html } from '@filmgate/kit/http/html'
import { accountPath } from '../layout/menu'
import type { StripeApi } from './stripe/stripe-api'

export type SaleDeps = {
  /** Undefined if buying is off. */
  stripe?: StripeApi | undefined
}

/** Where credits come from. The page of billing sells them, or names whom to ask. */
export const creditsLink = ({ stripe }: SaleDeps, accountId: string): Html =>
  html`<a href="${accountPath(accountId, 'billing')}">${stripe ? 'Buy credits' : 'How to get credits'}</a>`
