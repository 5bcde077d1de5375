import { afterAll, expect, test } from 'bun:test'
import type { Log } from '@filmgate/kit/telemetry/log'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { testDatabase, testLog, until } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { uuidv7 } from 'uuidv7'
import { migrationsFolder } from '../../database/migrations-folder'
import { renderError } from '../../layout/render-error'
import { acceptPurchase } from '../purchases/accept-purchase'
import { countInReview } from '../purchases/count-in-review'
import type { Purchase } from '../purchases/purchase'
import { findPurchase } from '../purchases/purchase-repository'
import { createWaker, startBilling } from '../start-billing'
import { reversalFact } from '../stripe/facts'
import { eventOf, sessionOf, signed } from '../testing/deliver'
import { fakeLedger, fakeStripe } from '../testing/fakes'
import { insertTestPurchase, purchaseForTests } from '../testing/purchase'
import { countUnmatched } from './count-unmatched'
import { insertEvent, oldestUnappliedSeconds } from './event-repository'
import { eventBytesMax } from './read-raw-body'
import { webhook } from './routes'

const { sql, drop } = await testDatabase(migrationsFolder)
const stripe = fakeStripe()
const events = createWaker()
const warned: unknown[] = []
const log = { ...testLog, warn: (fields: unknown) => warned.push(fields) } as unknown as Log
const app = new Elysia({ normalize: false }).use(renderError(testLog)).use(webhook({ sql, log, stripe, wakeEvents: events.wake }))
const ledger = fakeLedger()
const now = () => new Date()
const workers = startBilling({ sql, log: testLog, gateway: ledger, stripe, paymentAskAfterMs: 600_000, now, events })
afterAll(async () => {
  await workers.stop()
  await drop()
})

const purchaseOf = (more: Partial<Purchase> = {}) => insertTestPurchase(sql, more)
const deliver = async (event: unknown, how = {}) => (await app.handle(await signed(event, how))).status
const paymentOf = ({ id }: Purchase) => `pi_${id.slice(-12)}`
const stateOf = async (id: string) => (await findPurchase(sql, id))?.state
const balanceOf = ({ accountId }: Purchase) => ledger.balance.get(accountId) ?? 0
const unapplied = () => sql`select 1 from stripe_event where applied_at is null`
const quiet = () => until('all to be applied', async () => (await unapplied()).length + (await sql`select 1 from job`).length === 0)

const reversal = (id: string, payment: string, status: string, amount: number) => ({
  ...{ id, payment_intent: payment, amount, currency: 'usd', status },
})

test('a payment is granted once by its id, however often it is told and by which events', async () => {
  const purchase = await purchaseOf()
  const completed = eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase)))
  const succeeded = eventOf('payment_intent.succeeded', {
    ...{ id: paymentOf(purchase), amount: 999, amount_received: 999, currency: 'usd' },
    metadata: { purchase: purchase.id, account: purchase.accountId },
  })
  const statuses = await Promise.all([completed, succeeded, completed, succeeded, completed].map(event => deliver(event)))
  expect(statuses).toEqual([200, 200, 200, 200, 200])
  await quiet()
  expect([await stateOf(purchase.id), balanceOf(purchase)]).toEqual(['granted', 1_000])
  expect(ledger.asked.filter(({ path }) => path.includes(purchase.accountId))).toEqual([
    {
      method: 'PUT',
      path: `/accounts/${purchase.accountId}/grants/stripe%3A${paymentOf(purchase)}`,
      body: { credits: 1_000, balance: 'paid', reason: `purchase ${purchase.id} of pack small, version 1` },
    },
  ])
})

test('what Stripe has not signed is refused, and nothing of it is kept', async () => {
  const purchase = await purchaseOf()
  const event = eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase)))
  expect(await deliver(event, { secret: 'whsec_of_somebody_else_entirely' })).toBe(400)
  for (const seconds of [-302, 302, 86_400 * 365])
    expect([seconds, await deliver(event, { at: Date.now() + seconds * 1_000 })]).toEqual([seconds, 400])
  const altered = await signed(event)
  const other = JSON.stringify(event).replaceAll(purchase.id, uuidv7())
  expect((await app.handle(new Request(altered.url, { method: 'POST', body: other, headers: altered.headers }))).status).toBe(400)
  expect((await app.handle(new Request(altered.url, { method: 'POST', body: JSON.stringify(event) }))).status).toBe(400)
  const large = await signed({ ...event, filling: 'x'.repeat(eventBytesMax) })
  expect((await app.handle(large)).status).toBe(413)
  expect(await sql`select 1 from stripe_event where id = ${event.id}`).toHaveLength(0)
  expect(await stateOf(purchase.id)).toBe('created')
})

test('another amount, currency or account is looked at by a person, another mode changes nothing', async () => {
  const cases = [{ amount_total: 1 }, { currency: 'eur' }, { metadata: { account: 'somebody-else' } }, { payment_intent: null }]
  for (const wrong of cases) {
    const purchase = await purchaseOf()
    await deliver(eventOf('checkout.session.completed', { ...sessionOf(purchase, paymentOf(purchase)), ...wrong }))
    await quiet()
    expect([await stateOf(purchase.id), balanceOf(purchase)]).toEqual(['review', 0])
  }
  const purchase = await purchaseOf()
  await deliver(eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase)), { livemode: true }))
  await quiet()
  expect([await stateOf(purchase.id), balanceOf(purchase)]).toEqual(['created', 0])
})

test('a forged delivery leaves nothing of its body in the log', async () => {
  warned.length = 0
  await deliver(eventOf('checkout.session.completed', { customer_details: { email: 'ada@example.com' } }), { secret: 'whsec_of_another' })
  expect(warned).toEqual([{ reason: expect.stringContaining('No signatures found') }])
  expect(JSON.stringify(warned)).not.toContain('example.com')
})

test('a refund or dispute of another mode takes nothing', async () => {
  const purchase = await purchaseOf()
  await deliver(eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase))))
  await quiet()
  const [payment, id] = [paymentOf(purchase), purchase.id]
  await deliver(eventOf('refund.created', reversal(`re_${id}`, payment, 'succeeded', 999), { livemode: true }))
  await deliver(eventOf('charge.dispute.created', reversal(`dp_${id}`, payment, 'needs_response', 999), { livemode: true }))
  await quiet()
  expect(balanceOf(purchase)).toBe(1_000)
})

test('a payment for an account that was closed meanwhile is looked at until it is sent back', async () => {
  const purchase = await purchaseOf()
  await sql`insert into account (id, name, closed_at) values (${purchase.accountId}, 'Studio', now())`
  const before = await countInReview(sql)
  await deliver(eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase))))
  await quiet()
  expect([await stateOf(purchase.id), balanceOf(purchase), (await countInReview(sql)) - before]).toEqual(['review', 0, 1])
  await deliver(eventOf('refund.created', reversal(`re_${purchase.id}`, paymentOf(purchase), 'succeeded', 999)))
  await quiet()
  expect([balanceOf(purchase), (await countInReview(sql)) - before]).toEqual([0, 0])
})

test('what was paid otherwise and is accepted is granted once, and its refunds and disputes take their share of what was paid', async () => {
  const purchase = await purchaseOf()
  const [payment, before] = [paymentOf(purchase), await countInReview(sql)]
  await deliver(eventOf('checkout.session.completed', sessionOf(purchase, payment, { amount_total: 1_200 })))
  await quiet()
  expect((await countInReview(sql)) - before).toBe(1)
  expect([await acceptPurchase(sql, purchase.id), await acceptPurchase(sql, purchase.id)]).toEqual(['accepted', 'not_in_review'])
  await quiet()
  expect([await stateOf(purchase.id), balanceOf(purchase), (await countInReview(sql)) - before]).toEqual(['granted', 1_000, 0])
  await deliver(eventOf('refund.created', reversal(`re_${purchase.id}`, payment, 'succeeded', 300)))
  await quiet()
  expect(balanceOf(purchase)).toBe(750)
  await deliver(eventOf('charge.dispute.created', reversal(`dp_${purchase.id}`, payment, 'needs_response', 1_200)))
  await quiet()
  expect(balanceOf(purchase)).toBe(0)
})

test('what nobody could spend, was not paid or has gone back can’t be accepted', async () => {
  const [closed, unpaid, returned] = [await purchaseOf(), await purchaseOf(), await purchaseOf()]
  await sql`insert into account (id, name, closed_at) values (${closed.accountId}, 'Studio', now())`
  const before = await countInReview(sql)
  await deliver(eventOf('checkout.session.completed', sessionOf(closed, paymentOf(closed))))
  await deliver(eventOf('checkout.session.completed', { ...sessionOf(unpaid, paymentOf(unpaid)), payment_intent: null }))
  await deliver(eventOf('checkout.session.completed', sessionOf(returned, paymentOf(returned), { amount_total: 1_200 })))
  await deliver(eventOf('charge.dispute.closed', reversal(`dp_${returned.id}`, paymentOf(returned), 'lost', 1_200)))
  await quiet()
  const answers = [closed.id, unpaid.id, returned.id, uuidv7()].map(id => acceptPurchase(sql, id))
  expect(await Promise.all(answers)).toEqual(['account_closed', 'not_paid', 'money_is_out', 'not_in_review'])
  expect([(await countInReview(sql)) - before, balanceOf(closed), balanceOf(unpaid), balanceOf(returned)]).toEqual([1, 0, 0, 0])
})

test('a part that went back of a payment in review ends no review', async () => {
  const purchase = await purchaseOf()
  const before = await countInReview(sql)
  await deliver(eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase), { amount_total: 1_200 })))
  await deliver(eventOf('refund.created', reversal(`re_${purchase.id}`, paymentOf(purchase), 'succeeded', 1)))
  await quiet()
  expect((await countInReview(sql)) - before).toBe(1)
})

test('money for a purchase that is not kept here is named in the log, play money is not', async () => {
  const purchase = purchaseForTests()
  const event = (livemode: boolean) =>
    eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase), { id: `cs_${livemode}` }), { livemode })
  const [live, play] = [event(true), event(false)]
  for (const each of [live, play]) await deliver(each)
  await quiet()
  const rows = await sql`select outcome from stripe_event where id in (${live.id}, ${play.id}) order by livemode`
  expect(rows.map(({ outcome }) => outcome)).toEqual(['not_ours', 'no_such_purchase'])
})

test('a payment that another purchase has, and a second payment of one purchase, grant nothing', async () => {
  const [first, second] = [await purchaseOf(), await purchaseOf()]
  await deliver(eventOf('checkout.session.completed', sessionOf(first, paymentOf(first))))
  await quiet()
  await deliver(eventOf('checkout.session.completed', sessionOf(second, paymentOf(first))))
  await deliver(eventOf('checkout.session.completed', sessionOf(first, paymentOf(second))))
  await quiet()
  expect([balanceOf(first), balanceOf(second), await stateOf(second.id)]).toEqual([1_000, 0, 'created'])
})

test('money that nothing is granted for is counted until all of it is sent back', async () => {
  const [paid, lost, before] = [await purchaseOf(), purchaseForTests(), await countUnmatched(sql)]
  const unmatched = async () => (await countUnmatched(sql)) - before
  const second = `pi_second_${paid.id}`
  await deliver(eventOf('checkout.session.completed', sessionOf(paid, paymentOf(paid))))
  await quiet()
  const again = (type: string) => eventOf(type, sessionOf(paid, second))
  for (const type of ['checkout.session.completed', 'checkout.session.async_payment_succeeded']) await deliver(again(type))
  await deliver(eventOf('checkout.session.completed', sessionOf(lost, paymentOf(lost)), { livemode: true }))
  await quiet()
  expect(await unmatched()).toBe(2)
  await deliver(eventOf('refund.created', reversal(`re_1${paid.id}`, second, 'succeeded', 900)))
  await quiet()
  expect(await unmatched()).toBe(2)
  await deliver(eventOf('refund.created', reversal(`re_2${paid.id}`, second, 'succeeded', 99)))
  await deliver(eventOf('refund.created', reversal(`re_${lost.id}`, paymentOf(lost), 'succeeded', 999), { livemode: true }))
  await quiet()
  expect(await unmatched()).toBe(0)
})

test('an event that waits to be applied is known by its age', async () => {
  expect(await oldestUnappliedSeconds(sql)).toBe(0)
  const fact = reversalFact('refund', reversal('re_waiting', 'pi_waiting', 'succeeded', 1)) ?? null
  const id = `evt_waiting${uuidv7()}`
  await insertEvent(sql, { id, type: 'refund.created', fact, livemode: false, observedAt: new Date() })
  await sql`update stripe_event set received_at = now() - interval '90 seconds' where id = ${id}`
  expect(await oldestUnappliedSeconds(sql)).toBeGreaterThanOrEqual(90)
  await sql`delete from stripe_event where id = ${id}`
})

test('a checkout that ends without a payment charges and grants nothing, one whose money comes days later grants then', async () => {
  const [left, late, lost] = [await purchaseOf(), await purchaseOf(), await purchaseOf()]
  await deliver(
    eventOf('checkout.session.expired', sessionOf(left, 'pi_0', { status: 'expired', payment_status: 'unpaid', payment_intent: null })),
  )
  for (const each of [late, lost])
    await deliver(eventOf('checkout.session.completed', sessionOf(each, paymentOf(each), { payment_status: 'unpaid' })))
  await quiet()
  expect([await stateOf(left.id), await stateOf(late.id)]).toEqual(['expired', 'processing'])
  await deliver(eventOf('checkout.session.async_payment_succeeded', sessionOf(late, paymentOf(late))))
  await deliver(eventOf('checkout.session.async_payment_failed', sessionOf(lost, paymentOf(lost), { payment_status: 'unpaid' })))
  await quiet()
  expect([await stateOf(late.id), balanceOf(late), await stateOf(lost.id), balanceOf(lost)]).toEqual(['granted', 1_000, 'failed', 0])
})

test('refunds and disputes come to the same in every order, before the payment too', async () => {
  const story = (purchase: Purchase) => [
    eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase))),
    eventOf('refund.created', reversal(`re_a${paymentOf(purchase)}`, paymentOf(purchase), 'pending', 333)),
    eventOf('refund.updated', reversal(`re_a${paymentOf(purchase)}`, paymentOf(purchase), 'succeeded', 333)),
    eventOf('refund.created', reversal(`re_b${paymentOf(purchase)}`, paymentOf(purchase), 'pending', 111)),
    eventOf('refund.failed', reversal(`re_b${paymentOf(purchase)}`, paymentOf(purchase), 'failed', 111)),
    eventOf('charge.dispute.created', reversal(`dp_${paymentOf(purchase)}`, paymentOf(purchase), 'needs_response', 222)),
    eventOf('charge.dispute.closed', reversal(`dp_${paymentOf(purchase)}`, paymentOf(purchase), 'lost', 222)),
    eventOf('charge.dispute.created', reversal(`dp_w${paymentOf(purchase)}`, paymentOf(purchase), 'needs_response', 100)),
    eventOf('charge.dispute.closed', reversal(`dp_w${paymentOf(purchase)}`, paymentOf(purchase), 'won', 100)),
  ]
  const purchases = await Promise.all(Array.from({ length: 6 }, () => purchaseOf()))
  for (const [index, purchase] of purchases.entries()) {
    const events = story(purchase)
    const turned = [...events.slice(index), ...events.slice(0, index)]
    const order = index % 2 === 0 ? turned : turned.toReversed()
    for (const event of order) {
      await deliver(event)
      if (index > 2) await quiet()
    }
  }
  await quiet()
  // 333 and 222 of 999 are reversed: 555 of 1,000 credits.
  expect(purchases.map(balanceOf)).toEqual(purchases.map(() => 445))
  expect(await sql`select id from payment_change where state <> 'applied'`).toHaveLength(0)
})

test('a dispute that goes on after it was won changes nothing by itself, and is named', async () => {
  const purchase = await purchaseOf()
  const [payment, id] = [paymentOf(purchase), `dp_${purchase.id}`]
  const at = Math.floor(Date.now() / 1_000)
  await deliver(eventOf('checkout.session.completed', sessionOf(purchase, payment)))
  await deliver(eventOf('charge.dispute.closed', reversal(id, payment, 'won', 999), { created: at }))
  await quiet()
  const late = eventOf('charge.dispute.created', reversal(id, payment, 'needs_response', 999), { created: at - 60 })
  const lost = eventOf('charge.dispute.closed', reversal(id, payment, 'lost', 999), { created: at + 60 })
  for (const event of [late, lost]) await deliver(event)
  await quiet()
  const rows = await sql`select outcome from stripe_event where id in (${late.id}, ${lost.id}) order by told_at`
  expect(rows.map(({ outcome }) => outcome)).toEqual(['applied', 'reopened'])
  expect(balanceOf(purchase)).toBe(1_000)
})

test('the ledger is asked again until it has decided, the grant before what follows it', async () => {
  const purchase = await purchaseOf()
  ledger.faults.push(503, 202, 503)
  await deliver(eventOf('refund.created', reversal(`re_${purchase.id}`, paymentOf(purchase), 'pending', 999)))
  await deliver(eventOf('checkout.session.completed', sessionOf(purchase, paymentOf(purchase))))
  await quiet()
  const asked = ledger.asked.filter(({ path }) => path.includes(purchase.accountId)).map(({ path }) => path.split('/')[3])
  expect(asked).toEqual(['grants', 'grants', 'grants', 'grants', 'debits'])
  expect(ledger.asked.at(-1)?.body).toMatchObject({ beyond_balance: true, credits: 1_000 })
  expect(balanceOf(purchase)).toBe(0)
})

test('an event of a needed type that can’t be read is not taken, so that Stripe tells it again, and is counted', async () => {
  const countUnreadable = async () => Number(/payment_events_received_total\{result="unreadable"\} (\d+)/.exec(await metricsText())?.[1])
  const before = await countUnreadable()
  expect(await deliver(eventOf('charge.dispute.created', reversal('dp_x', 'pi_x', 'a_status_of_next_year', 1)))).toBe(500)
  expect(await deliver(eventOf('refund.created', { id: 're_x' }))).toBe(500)
  expect(await deliver(eventOf('product.created', { id: 'prod_1' }))).toBe(200)
  expect((await countUnreadable()) - before).toBe(2)
})
