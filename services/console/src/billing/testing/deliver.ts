import Stripe from 'stripe'
import type { Purchase } from '../purchases/purchase'
import { webhookSecret } from './fakes'

let next = 0
/** An event as Stripe would render it, with an id of its own unless one is given. */
export const eventOf = (type: string, object: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  ...{ id: `evt_${crypto.randomUUID().slice(0, 8)}${next++}`, object: 'event', type, livemode: false },
  ...{ created: Math.floor(Date.now() / 1_000), data: { object } },
  ...more,
})

export const sessionOf = (purchase: Pick<Purchase, 'id' | 'accountId' | 'amount' | 'currency'>, paymentIntentId: string, more = {}) => ({
  ...{ id: `cs_${paymentIntentId}`, object: 'checkout.session', status: 'complete', payment_status: 'paid', invoice: 'in_1' },
  ...{ client_reference_id: purchase.id, metadata: { account: purchase.accountId, purchase: purchase.id } },
  ...{ payment_intent: paymentIntentId, amount_total: purchase.amount, currency: purchase.currency },
  ...more,
})

/** Signed by the SDK, or with other parameters for forgeries. */
export async function signed(event: unknown, { secret = webhookSecret, at = Date.now() } = {}): Promise<Request> {
  const payload = JSON.stringify(event)
  const timestamp = Math.floor(at / 1_000)
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
  return new Request('https://console.example.com/webhooks/stripe', {
    method: 'POST',
    body: payload,
    headers: { 'stripe-signature': signature },
  })
}
