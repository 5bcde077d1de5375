import { afterAll, expect, test } from 'bun:test'
import { testLog } from '@filmgate/kit/testing'
import { uuidv7 } from 'uuidv7'
import { purchaseForTests } from '../testing/purchase'
import { connectStripe } from './connect-stripe'
import { CustomerGoneError } from './stripe-api'

type Call = { path: string; key: string | null }
const calls: Call[] = []
let answer: (call: Call) => Response | Promise<Response> = () => Response.json({})
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const call = { path: new URL(request.url).pathname, key: request.headers.get('idempotency-key') }
    calls.push(call)
    return answer(call)
  },
})
afterAll(() => server.stop(true))
const settings = { secretKey: 'sk_test_of_this_test', webhookSecret: 'whsec_of_this_test', url: server.url.href }
const stripe = connectStripe(settings, testLog)

const named = { accountId: 'a1', accountName: 'Studio', email: 'ada@example.com' }
const pages = { successUrl: 'https://console.example.com/back', cancelUrl: 'https://console.example.com/left' }
const fault = (fields: Record<string, string>) => Response.json({ error: { type: 'invalid_request_error', ...fields } }, { status: 400 })

test('a customer asked for again is the same one, under other words another', async () => {
  answer = () => Response.json({ id: 'cus_1', object: 'customer' })
  calls.length = 0
  for (const customer of [named, named, { ...named, accountName: 'Atelier' }, { ...named, gone: 'cus_0' }])
    await stripe.createCustomer(customer)
  const keys = calls.map(({ key }) => key)
  expect([keys[0] === keys[1], new Set(keys).size]).toEqual([true, 3])
})

test('a customer who was deleted at Stripe is told apart from a Stripe that can’t be asked', async () => {
  const purchase = purchaseForTests()
  answer = () => fault({ code: 'resource_missing', param: 'customer', message: "No such customer: 'cus_1'" })
  await expect(stripe.createSession(purchase, 'cus_1', pages)).rejects.toThrow(CustomerGoneError)
  answer = () => fault({ code: 'parameter_invalid_integer', param: 'line_items', message: 'no' })
  await expect(stripe.createSession(purchase, 'cus_1', pages)).rejects.toMatchObject({ reason: 'payments_unavailable' })
})

test('a Stripe that is silent is asked twice and given up on', async () => {
  const silent = Promise.withResolvers<void>()
  answer = () => silent.promise.then(() => Response.json({}))
  calls.length = 0
  const hasty = connectStripe({ ...settings, timeoutMs: 100 }, testLog)
  expect(await hasty.createPortalUrl('cus_1', 'https://console.example.com').catch(({ reason }) => reason)).toBe('payments_unavailable')
  silent.resolve()
  expect(calls).toHaveLength(2)
})

test('money that was awaited and did not come is known by the payment itself', async () => {
  const id = uuidv7()
  const session = (status: string) => ({
    ...{ id: 'cs_1', object: 'checkout.session', client_reference_id: id, status: 'complete', payment_status: 'unpaid' },
    ...{ payment_intent: { id: 'pi_1', object: 'payment_intent', status }, amount_total: 999, currency: 'usd' },
  })
  answer = () => Response.json(session('processing'))
  expect(await stripe.findSession('cs_1')).toMatchObject({ hasFailed: false, paymentIntentId: 'pi_1' })
  answer = () => Response.json(session('requires_payment_method'))
  expect(await stripe.findSession('cs_1')).toMatchObject({ hasFailed: true, isPaid: false })
})
