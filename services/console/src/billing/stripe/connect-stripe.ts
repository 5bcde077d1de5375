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

/** A purchase makes two calls while its person waits, each tried twice, and a connection may be silent for 30 s. */
const callMsMax = 6_000
const retriesMax = 1
const toleranceSeconds = 300
const listedMax = 100
/** Of events that were not delivered, the newest of one look; Stripe goes on trying to deliver each for three days. */
const undeliveredMax = 10_000

/** Speaks to Stripe by its own SDK. A key of the live mode has `live` in it. */
export function connectStripe({ secretKey, webhookSecret, url, timeoutMs = callMsMax }: StripeSettings, log: Log): StripeApi {
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    appInfo: { name: 'Filmgate console' },
    ...(url && addressOf(url)),
  })
  const ask = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (cause) {
      if (isCustomerGone(cause)) throw new CustomerGoneError(what, { cause })
      log.warn({ err: cause, what }, 'Stripe does not answer as it should')
      throw new Failure<Reason>('payments_unavailable', { internal: `${what}: ${cause instanceof Error ? cause.message : ''}` })
    }
  }
  const opened = (session: Stripe.Checkout.Session): OpenedSession => ({ ...sessionFact(session), url: session.url })

  return {
    livemode: /^[rs]k_live_/.test(secretKey),
    createCustomer: ({ accountId, accountName, email, gone }) =>
      ask('creating a customer', async () => {
        const customer = { name: accountName, email, metadata: { account: accountId } }
        return (await stripe.customers.create(customer, { idempotencyKey: customerKey({ accountId, accountName, email, gone }) })).id
      }),
    createSession: (purchase, customerId, pages) =>
      ask('creating a checkout', async () =>
        opened(
          await stripe.checkout.sessions.create(checkoutOf(purchase, customerId, pages), {
            idempotencyKey: `${purchase.id}:${customerId}`,
          }),
        ),
      ),
    findSession: id =>
      ask('reading a checkout', async () => opened(await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }))),
    endSession: id => ask('ending a checkout', async () => opened(await stripe.checkout.sessions.expire(id))),
    listSessions: (customer, since) =>
      ask('listing checkouts', async () => {
        const created = { gte: secondsOf(since) }
        return (await stripe.checkout.sessions.list({ customer, created, limit: listedMax })).data.map(opened)
      }),
    listReversals: payment_intent =>
      ask('listing refunds and disputes', async () => {
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
    findDisputeShares: id => ask('reading a dispute', () => findDisputeShares(stripe, id)),
    listPage: (list, period, after) => ask(`listing ${list}`, () => listPage(stripe, list, period, after)),
    createPortalUrl: (customer, return_url) =>
      ask('opening the portal', async () => (await stripe.billingPortal.sessions.create({ customer, return_url })).url),
    findPapers: purchase => ask('finding the papers of a payment', () => papersOf(stripe, purchase)),
    verify: async (payload, signature) => stripe.webhooks.constructEventAsync(payload, signature, webhookSecret, toleranceSeconds),
    listUndelivered: since =>
      ask('listing what was not delivered', () =>
        stripe.events
          .list({ delivery_success: false, created: { gte: secondsOf(since) }, types: Object.keys(eventReaders), limit: listedMax })
          .autoPagingToArray({ limit: undeliveredMax }),
      ),
  }
}

/** Who was deleted is, to Stripe, nobody that there ever was. */
const isCustomerGone = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing' && error.param === 'customer'

/** Another one for other words, since Stripe refuses a repeated key with those: an account may be renamed between two tries. */
const customerKey = (customer: NewCustomer): string =>
  `customer:${new Bun.CryptoHasher('sha256').update(JSON.stringify(customer)).digest('hex')}`

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000)

function addressOf(url: string) {
  const { hostname: host, port, protocol } = new URL(url)
  return { host, port: port || (protocol === 'http:' ? '80' : '443'), protocol: protocol === 'http:' ? 'http' : 'https' } as const
}

/** Depends on the purchase's row alone, since Stripe refuses a repeated key with other terms. */
function checkoutOf(purchase: Purchase, customer: string, { successUrl, cancelUrl }: CheckoutPages): Stripe.Checkout.SessionCreateParams {
  const { id, accountId, packId, packVersion, packName, credits, amount, currency, createdAt } = purchase
  const metadata = { purchase: id, account: accountId, pack: packId, pack_version: String(packVersion) }
  const words = `${credits} credits (${packName})`
  return {
    mode: 'payment',
    client_reference_id: id,
    customer,
    metadata,
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: words } } }],
    payment_intent_data: { metadata, description: words },
    invoice_creation: { enabled: true, invoice_data: { metadata, description: words } },
    expires_at: secondsOf(createdAt) + checkoutLifeMs / 1_000,
    success_url: successUrl,
    cancel_url: cancelUrl,
  }
}

async function papersOf(stripe: Stripe, { paymentIntentId, invoiceId }: Purchase) {
  const payment = paymentIntentId ? await stripe.paymentIntents.retrieve(paymentIntentId, { expand: ['latest_charge'] }) : undefined
  const charge = payment?.latest_charge
  const invoice = invoiceId ? await stripe.invoices.retrieve(invoiceId) : undefined
  return { receipt: charge && typeof charge === 'object' ? charge.receipt_url : null, invoice: invoice?.hosted_invoice_url ?? null }
}
