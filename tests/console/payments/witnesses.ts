import Stripe from 'stripe'
import { openAccount } from '../../support/client/account'
import { operate } from '../../support/operator/operator'
import { run } from '../../support/servers/databases'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { signInByLink } from '../people/sign-in-link'
import { hiddenIn, type Wire } from '../people/wire'
import { localstripePort, stripeSettings } from '../stripe/settings'
import { startLocalstripe } from '../stripe/witnesses'
import { insertPurchase } from './insert-purchase'

type Owner = { accountId: string; wire: Wire }

/** Somebody who is signed in to the console as the owner of a new account. */
async function openOwner(): Promise<Owner> {
  const { accountId } = await openAccount({ credits: 10 })
  return { accountId, wire: await signInByLink({ accountId, email: `${accountId.toLowerCase()}@example.com` }) }
}

const credits = async (accountId: string): Promise<number> => {
  const { account } = await operate<{ account: { available: number; owed: number } }>('ledger', 'GET', `/accounts/${accountId}`)
  return account.available - account.owed
}

/** What other people's programs say of our calls: Stripe's mock of their shape, localstripe of its own webhooks. */
export async function proveWitnesses(report: Report): Promise<void> {
  await provePurchase(report)
  await proveClosed(report)
  await proveLocalstripe(report)
}

/** By plain HTTP as a browser would: every call of the console passes Stripe's mock on its way. */
async function provePurchase(report: Report): Promise<void> {
  const owner = await openOwner()
  const billing = `/accounts/${owner.accountId}/billing`
  const first = await begin(owner, billing)
  report.check(
    'a purchase leads to the checkout',
    first.status === 303 && first.location?.includes('/c/pay/') === true,
    `${first.status} ${first.text.slice(0, 300)}`,
  )
  const back = await fetch(first.location ?? '', { method: 'POST', redirect: 'manual' })
  const page = new URL(back.headers.get('location') ?? '', settings.consoleUrl).pathname
  await until('the credits of the purchase', async () => (await credits(owner.accountId)) === 1_010, 30_000)
  const isSaid = async () => JSON.parse((await owner.wire.get(`${page}/state`, { accept: 'application/json' })).text).state === 'granted'
  await until('the page of the purchase to say so', isSaid, 10_000)
  report.check('its page says so', true)
  for (const paper of ['receipt', 'invoice']) {
    const { status, location } = await owner.wire.get(`${page}/${paper}`)
    report.check(`its ${paper} is at Stripe`, status === 303 && location !== null, `${status} ${location}`)
  }
  const portal = await owner.wire.post(`${billing}/portal`)
  report.check(
    'the portal opens',
    portal.status === 303 && portal.location?.includes('/p/') === true,
    `${portal.status} ${portal.text.slice(0, 300)}`,
  )
  await proveLostWebhook(report, owner, billing)
}

/** Paid, then refunded, and no webhook of either arrives. */
async function proveLostWebhook(report: Report, owner: Owner, billing: string): Promise<void> {
  const { env } = stripeSettings(settings.portBase)
  const { location } = await begin(owner, billing)
  const session = location?.split('/').at(-1) ?? ''
  const control = (verb: string, id: string, amount = '') =>
    fetch(`${env.FILMGATE_STRIPE_URL}/control/${verb}/${id}`, { method: 'POST', body: new URLSearchParams({ silent: '1', amount }) })
  const [intent] = (await (await control('pay', session)).json()) as { id: string }[]
  await control('refund', intent?.id ?? '', '400')
  await until('what no webhook told', async () => (await credits(owner.accountId)) === 1_610, 60_000)
  report.check('a payment and a refund whose webhooks were lost are found', true)
}

/** An account is closed while a checkout of it is open somewhere. */
async function proveClosed(report: Report): Promise<void> {
  const owner = await openOwner()
  const { location } = await begin(owner, `/accounts/${owner.accountId}/billing`)
  const closing = `/accounts/${owner.accountId}/settings/delete`
  const { status, text } = await owner.wire.post(closing, { form: hiddenIn((await owner.wire.get(closing)).text, 'form'), name: 'Test' })
  report.check('an account with an open checkout can be closed', status === 303, `${status} ${text.slice(0, 300)}`)
  const stateOf = async () => {
    const [row] = await run<{ state: string }>('console', 'select state from purchase where account_id = $1', [owner.accountId])
    return row?.state
  }
  await until('the checkout to end with its account', async () => (await stateOf()) === 'expired', 30_000)
  await fetch(location ?? '', { method: 'POST', redirect: 'manual' })
  report.check('a checkout ends with its account', (await credits(owner.accountId)) === 10)
}

async function begin(owner: Owner, billing: string) {
  const { text } = await owner.wire.get(billing)
  const field = (name: string) => hiddenIn(text, name)
  return owner.wire.post(`${billing}/purchases`, { form: field('form'), pack: field('pack'), terms: field('terms') })
}

/** localstripe has no Checkout, so the purchase is begun here, and paid there by its payment intent. */
async function proveLocalstripe(report: Report): Promise<void> {
  const { url, stop } = await startLocalstripe(localstripePort(settings.portBase))
  try {
    const { webhookSecret } = stripeSettings(settings.portBase)
    const { hostname: host, port } = new URL(url)
    const stripe = new Stripe('sk_test_of_localstripe', { host, port, protocol: 'http', httpClient: Stripe.createFetchHttpClient() })
    const { accountId } = await openAccount({ credits: 10 })
    await fetch(`${url}/_config/webhooks/filmgate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${settings.portBase + 6}/webhooks/stripe`, secret: webhookSecret }),
    })
    const customer = await stripe.customers.create({ name: 'Studio', email: 'ada@example.com', metadata: { account: accountId } })
    const id = await insertPurchase(accountId)
    const card = await stripe.paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2_040, cvc: '123' },
    })
    await stripe.paymentMethods.attach(card.id, { customer: customer.id })
    const payment = await stripe.paymentIntents.create({
      ...{ amount: 1_000, currency: 'usd', customer: customer.id, payment_method: card.id, confirm: true },
      metadata: { account: accountId, purchase: id },
    })
    report.check('localstripe takes the payment', payment.status === 'succeeded', payment.status)
    await until('the credits that localstripe’s webhook told of', async () => (await credits(accountId)) === 1_010, 30_000)
    report.check('a webhook that localstripe signed grants the credits', true)
    const refund = await stripe.refunds.create({ payment_intent: payment.id, amount: 250 })
    const listed = await stripe.refunds.list({ payment_intent: payment.id })
    report.check(
      'its refund is listed by its payment',
      listed.data.some(each => each.id === refund.id),
    )
  } finally {
    await stop()
  }
}
