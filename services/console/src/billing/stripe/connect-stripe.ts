import { Failure } from '@filmgate/kit/failure'
import type { Log } from '@filmgate/kit/telemetry/log'
import Stripe from 'stripe'
import type { Reason } from '../../errors'
import { checkoutLifeMs, type Purchase } from '../purchases/purchase'
import { findDisputeShares } from './dispute-shares'
import { eventReaders, reversalFact, sessionFact } from './facts'
import { listPage } from './list-page'
import { type CheckoutPages, CustomerGoneError, type NewCustomer, type OpenedSession, type StripeApi } from './stripe-api'

export type StripeSettings = { secretKey: string; webhookSecret: string; url: string | undefined; timeoutMs?: number }

/** A purchase makes two calls while the person waits, each tried twice, within the 30 s that a connection may idle. */
const callMsMax = 6_000
const retriesMax = 1
const toleranceSeconds = 300
const listedMax = 100
/** Maximum of undelivered events per fetch, newest first. Stripe retries delivery for three days. */
const undeliveredMax = 10_000

/** Stripe client over the official SDK. Live keys have `live` in their prefix. */
export function connectStripe({ secretKey, webhookSecret, url, timeoutMs = callMsMax }: StripeSettings, log: Log): StripeApi {
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    appInfo: { name: 'Filmgate console' },
    ...(url && addressOf(url)),
  })
  const callStripe = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (cause) {
      if (isCustomerGone(cause)) throw new CustomerGoneError(what, { cause })
      log.warn({ err: cause, what }, 'Stripe call failed')
      throw new Failure<Reason>('payments_unavailable', { internal: `${what}: ${cause instanceof Error ? cause.message : ''}` })
    }
  }
  const opened = (session: Stripe.Checkout.Session): OpenedSession => ({ ...sessionFact(session), url: session.url })

  return {
    livemode: /^[rs]k_live_/.test(secretKey),
    createCustomer: ({ accountId, accountName, email, gone }) =>
      callStripe('creating a customer', async () => {
        const customer = { name: accountName, email, metadata: { account: accountId } }
        return (await stripe.customers.create(customer, { idempotencyKey: customerKey({ accountId, accountName, email, gone }) })).id
      }),
    createSession: (purchase, customerId, pages) =>
      callStripe('creating a checkout', async () =>
        opened(
          await stripe.checkout.sessions.create(checkoutOf(purchase, customerId, pages), {
            idempotencyKey: `${purchase.id}:${customerId}`,
          }),
        ),
      ),
    findSession: id =>
      callStripe('reading a checkout', async () => opened(await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }))),
    endSession: id => callStripe('ending a checkout', async () => opened(await stripe.checkout.sessions.expire(id))),
    listSessions: (customer, since) =>
      callStripe('listing checkouts', async () => {
        const created = { gte: secondsOf(since) }
        return (await stripe.checkout.sessions.list({ customer, created, limit: listedMax })).data.map(opened)
      }),
    listReversals: payment_intent =>
      callStripe('listing refunds and disputes', async () => {
        const [refunds, disputes] = await Promise.all([
          stripe.refunds.list({ payment_intent, limit: listedMax }),
          stripe.disputes.list({ payment_intent, limit: listedMax }),
        ])
        const facts = [
          ...refunds.data.map(each => reversalFact('refund', each)),
          ...disputes.data.map(each => reversalFact('dispute', each)),
        ]
        return facts.filter(fact => fact !== undefined)
      }),
    findDisputeShares: id => callStripe('reading a dispute', () => findDisputeShares(stripe, id)),
    listPage: (list, period, after) => callStripe(`listing ${list}`, () => listPage(stripe, list, period, after)),
    createPortalUrl: (customer, return_url) =>
      callStripe('opening the portal', async () => (await stripe.billingPortal.sessions.create({ customer, return_url })).url),
    findDocuments: purchase => callStripe('finding the papers of a payment', () => findDocuments(stripe, purchase)),
    verify: async (payload, signature) => {
      const event = await stripe.webhooks.constructEventAsync(payload, signature, webhookSecret, toleranceSeconds)
      requireNotAhead(signature)
      return event
    },
    listUndelivered: since =>
      callStripe('listing what was not delivered', () =>
        stripe.events
          .list({ delivery_success: false, created: { gte: secondsOf(since) }, types: Object.keys(eventReaders), limit: listedMax })
          .autoPagingToArray({ limit: undeliveredMax }),
      ),
  }
}

/** The SDK refuses signatures that are too old. Without this check, one dated ahead would be valid until then. */
function requireNotAhead(signature: string): void {
  const latest = Date.now() / 1_000 + toleranceSeconds
  for (const [, at] of signature.matchAll(/(?:^|,)t=(\d+)/g))
    if (Number(at) > latest) throw new Error('Timestamp ahead of our clock by more than the tolerance')
}

/** Stripe answers for a deleted customer as if it had never existed. */
const isCustomerGone = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing' && error.param === 'customer'

/** Stripe rejects a repeated idempotency key with other parameters, so a renamed account needs another key. */
const customerKey = (customer: NewCustomer): string =>
  `customer:${new Bun.CryptoHasher('sha256').update(JSON.stringify(customer)).digest('hex')}`

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000)

function addressOf(url: string) {
  const { hostname: host, port, protocol } = new URL(url)
  return { host, port: port || (protocol === 'http:' ? '80' : '443'), protocol: protocol === 'http:' ? 'http' : 'https' } as const
}

/** Must depend on the purchase's row alone: Stripe rejects a repeated idempotency key with other parameters. */
function checkoutOf(purchase: Purchase, customer: string, { successUrl, cancelUrl }: CheckoutPages): Stripe.Checkout.SessionCreateParams {
  const { id, accountId, packId, packVersion, packName, credits, amount, currency, createdAt } = purchase
  const metadata = { purchase: id, account: accountId, pack: packId, pack_version: String(packVersion) }
  const description = `${credits} credits (${packName})`
  return {
    mode: 'payment',
    client_reference_id: id,
    customer,
    metadata,
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: description } } }],
    payment_intent_data: { metadata, description: description },
    invoice_creation: { enabled: true, invoice_data: { metadata, description: description } },
    expires_at: secondsOf(createdAt) + checkoutLifeMs / 1_000,
    success_url: successUrl,
    cancel_url: cancelUrl,
  }
}

async function findDocuments(stripe: Stripe, { paymentIntentId, invoiceId }: Purchase) {
  const payment = paymentIntentId ? await stripe.paymentIntents.retrieve(paymentIntentId, { expand: ['latest_charge'] }) : undefined
  const charge = payment?.latest_charge
  const invoice = invoiceId ? await stripe.invoices.retrieve(invoiceId) : undefined
  return { receipt: charge && typeof charge === 'object' ? charge.receipt_url : null, invoice: invoice?.hosted_invoice_url ?? null }
}
