import { afterAll, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { startStandIn } from './stand-in'

const standIn = startStandIn({ port: 0, webhookUrl: 'http://127.0.0.1:1', webhookSecret: 'whsec_of_this_test' })
afterAll(standIn.stop)
const { hostname: host, port } = new URL(standIn.url)
const client = { host, port, protocol: 'http', httpClient: Stripe.createFetchHttpClient(), maxNetworkRetries: 0 } as const
const stripe = new Stripe('sk_test_of_this_test', client)

const keep = (rows: object[]) =>
  fetch(`${standIn.url}/control/keep`, { method: 'POST', body: new URLSearchParams({ rows: JSON.stringify(rows) }) })
const charge = (number: number, more: object = {}) => ({
  ...{ id: `ch_${number}`, object: 'charge', created: 1_000 + number, amount: 999, currency: 'usd', status: 'succeeded' },
  ...{ payment_intent: `pi_${number}` },
  ...more,
})

test('Stripe’s own client pages through the lists, newest first, within the times that were asked for', async () => {
  await keep(Array.from({ length: 25 }, (_, number) => charge(number)))
  const all = await stripe.charges.list({ limit: 10 }).autoPagingToArray({ limit: 100 })
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, number) => `ch_${24 - number}`))
  const page = await stripe.charges.list({ limit: 3, created: { gte: 1_002, lt: 1_010 }, starting_after: 'ch_8' })
  expect([page.data.map(({ id }) => id), page.has_more]).toEqual([['ch_7', 'ch_6', 'ch_5'], true])
  const last = await stripe.charges.list({ limit: 100, created: { gte: 1_002 }, starting_after: 'ch_4' })
  expect([last.data.map(({ id }) => id), last.has_more]).toEqual([['ch_3', 'ch_2'], false])
  expect((await stripe.charges.list()).data).toHaveLength(10)
})

test('what is to be expanded is whole, on each level, and what Stripe would refuse is refused', async () => {
  await keep([
    charge(100, { balance_transaction: 'txn_1' }),
    { id: 'pi_100', object: 'payment_intent', amount: 999, latest_charge: 'ch_100', created: 1 },
    { id: 'txn_1', object: 'balance_transaction', amount: 950, currency: 'eur', created: 1 },
    { id: 'dp_1', object: 'dispute', charge: 'ch_100', payment_intent: 'pi_100', amount: 5, currency: 'chf', created: 1 },
  ])
  const listed = await stripe.charges.list({ limit: 1, expand: ['data.payment_intent'] })
  expect(listed.data[0]?.payment_intent).toMatchObject({ id: 'pi_100', latest_charge: 'ch_100' })
  expect(await stripe.disputes.retrieve('dp_1', { expand: ['charge.balance_transaction'] })).toMatchObject({
    charge: { id: 'ch_100', balance_transaction: { amount: 950, currency: 'eur' } },
  })
  expect((await stripe.disputes.list({ payment_intent: 'pi_other' })).data).toEqual([])
  await expect(stripe.charges.list({ limit: 101 })).rejects.toThrow('limit must be from 1 to 100')
  await expect(stripe.refunds.list({ starting_after: 're_none' })).rejects.toThrow('No such object')
})
