import { afterAll, expect, test } from 'bun:test'
import { uuidv7 } from 'uuidv7'
import { type Delivery, deliverAll } from '../../console/payments/deliveries'
import { insertPurchase } from '../../console/payments/insert-purchase'
import { missAndReconcile } from '../../console/payments/missed'
import { storm } from '../../console/payments/storm'
import type { StripeEvent } from '../../console/payments/story'
import { stripeSettings } from '../../console/stripe/settings'
import { startStandIn } from '../../console/stripe/stand-in'
import { openAccount } from '../../support/client/account'
import { operate } from '../../support/operator/operator'
import { salesMetrics, scrape } from '../../support/servers/metrics'
import { startOwn } from '../../support/servers/own-services'
import { settings } from '../../support/settings'
import { until } from '../../support/until'

const { env, webhookSecret: secret, port: stripePort } = stripeSettings(settings.portBase)
const port = settings.portBase + 31
const standIn = startStandIn({ port: stripePort, webhookUrl: 'http://127.0.0.1:1', webhookSecret: secret })
const metricsPort = settings.portBase + 28
const shop = await startOwn('console', { ...env, PORT: String(port), FILMGATE_METRICS_PORT: String(metricsPort) }, '/readyz')
afterAll(async () => {
  await shop.stop()
  await standIn.stop()
})
const webhookUrl = `http://127.0.0.1:${port}/webhooks/stripe`

test('two hundred deliveries in disorder leave each account what its payments left', async () => {
  const { findings } = await storm({ webhookUrl, secret, deliveries: 200, seed: 3, settledWithinMs: 50_000 })
  expect(findings.filter(({ holds }) => !holds)).toEqual([])
})

test('refunds and disputes that no event told are found at Stripe, applied once, and shown before in a dry run', async () => {
  const consoleUrl = `http://127.0.0.1:${port}`
  const { findings } = await missAndReconcile({ webhookUrl, secret, consoleUrl, reversals: 30, seed: 5, settledWithinMs: 50_000 })
  expect(findings.filter(({ holds }) => !holds)).toEqual([])
}, 60_000)

test('what alerts read of sales is exported', async () => {
  const shown = new Set((await scrape(`http://127.0.0.1:${metricsPort}/metrics`)).map(({ metric }) => metric))
  expect(salesMetrics.filter(name => !shown.has(name))).toEqual([])
})

test('a dispute of what is spent is owed, and the next purchase pays it first', async () => {
  const { accountId } = await openAccount({ credits: 10 })
  const first = await purchaseOf(accountId)
  await deliver(paid(first))
  await balance(accountId, 1_010, 0)
  await operate('gateway', 'POST', `/accounts/${accountId}/debits`, { id: uuidv7(), credits: 1_010, balance: 'paid', reason: 'spent' })
  await balance(accountId, 0, 0)
  await deliver(dispute(first, 'needs_response'))
  await balance(accountId, 0, 1_000)
  await deliver(paid(await purchaseOf(accountId)))
  await balance(accountId, 0, 0)
  await deliver(dispute(first, 'won'))
  await balance(accountId, 1_000, 0)
})

const purchaseOf = async (accountId: string) => ({ id: await insertPurchase(accountId), accountId })

const eventOf = (type: string, object: object): StripeEvent => ({
  ...{ id: `evt_${uuidv7()}`, object: 'event', type, livemode: false, created: Math.floor(Date.now() / 1_000) },
  data: { object },
})
const paid = ({ id, accountId }: { id: string; accountId: string }) =>
  eventOf('payment_intent.succeeded', {
    id: `pi_${id}`,
    metadata: { purchase: id, account: accountId },
    amount: 1_000,
    amount_received: 1_000,
    currency: 'usd',
  })
const dispute = ({ id }: { id: string }, status: string) =>
  eventOf('charge.dispute.updated', { id: `dp_${id}`, payment_intent: `pi_${id}`, amount: 1_000, currency: 'usd', status })

async function deliver(...events: StripeEvent[]): Promise<void> {
  const deliveries = events.map((event): Delivery => ({ event }))
  expect(await deliverAll({ webhookUrl, secret, otherAccount: 'nobody' }, deliveries)).toMatchObject({ wrong: [] })
}

const balance = (accountId: string, available: number, owed: number) =>
  until(`${available} credits and ${owed} owed`, async () => {
    const { account } = await operate<{ account: { available: number; owed: number } }>('ledger', 'GET', `/accounts/${accountId}`)
    return account.available === available && account.owed === owed
  })
