import { afterAll, expect, test } from 'bun:test'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { claimJobs, insertJobs } from '@filmgate/kit/jobs/job-repository'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { migrationsFolder } from '../../database/migrations-folder'
import { auditSales } from '../audit/audit-sales'
import { sendChanges } from '../changes/send-changes'
import { applyEvent } from '../events/apply-event'
import { receiveEvent } from '../events/receive-event'
import { changesKind, eventKind, refreshKind } from '../job-kinds'
import { sessionFact } from '../stripe/facts'
import { eventOf, sessionOf } from '../testing/deliver'
import { fakeLedger, fakeStripe } from '../testing/fakes'
import { insertTestPurchase } from '../testing/purchase'
import { acceptPurchase } from './accept-purchase'
import type { Purchase } from './purchase'
import { findPurchase } from './purchase-repository'
import { refreshPurchase } from './refresh-purchase'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)
const ledger = fakeLedger()
const signal = new AbortController().signal

/** As Stripe renders a checkout that a coupon pays in full. */
const freeSession = (purchase: Purchase, more: Record<string, unknown> = {}) =>
  sessionOf(purchase, '', {
    id: `cs_${purchase.id}`,
    payment_intent: null,
    payment_status: 'no_payment_required',
    amount_total: 0,
    ...more,
  })

const claimed = async (kind: string) => (await claimJobs<unknown>(sql, kind, 'test', 10_000, 100)) as Job[]
const ask =
  (purchase: Purchase, session = freeSession(purchase)) =>
  async () => {
    await insertJobs(sql, [{ kind: refreshKind, id: purchase.id }])
    await sql`update job set run_at = now(), lease_until = null where kind = ${refreshKind}`
    const stripe = fakeStripe({ findSession: async () => ({ ...sessionFact(session), url: null }) })
    await sql`update purchase set session_id = ${session.id} where id = ${purchase.id}`
    for (const job of await claimed(refreshKind))
      await refreshPurchase({ sql, log: testLog, stripe, paymentAskAfterMs: 1_000, now: () => new Date(), wakeChanges: () => {} }, job)
  }
const tell =
  (purchase: Purchase, session = freeSession(purchase)) =>
  async () => {
    await receiveEvent(sql, eventOf('checkout.session.completed', session))
    for (const job of await claimed(eventKind)) await applyEvent({ sql, log: testLog, wakeChanges: () => {} }, job)
  }

/** The purchase after the ledger has decided. */
async function ended(purchase: Purchase) {
  for (const job of await claimed(changesKind)) await sendChanges({ sql, gateway: ledger, log: testLog }, job, signal)
  const changes = await sql<{ id: string; kind: string; credits: number }[]>`
    select id, kind, credits from payment_change where purchase_id = ${purchase.id} order by number`
  const { state, paidAmount, review } = (await findPurchase(sql, purchase.id)) ?? {}
  return { state, paidAmount, review, changes: [...changes], balance: ledger.balance.get(purchase.accountId) ?? 0 }
}
const granted = ({ id }: Purchase) => ({
  ...{ state: 'granted' as const, paidAmount: 0, review: null, balance: 1_000 },
  changes: [{ id: `stripe:cs_${id}`, kind: 'grant', credits: 1_000 }],
})

test('a checkout with nothing to pay grants its credits once, whether an event or an answer tells it', async () => {
  const purchases = [await insertTestPurchase(sql), await insertTestPurchase(sql)] as const
  const [told, asked] = purchases
  for (const step of [tell(told), tell(told), ask(told), ask(asked), tell(asked), ask(asked)]) await step()
  for (const purchase of purchases) expect(await ended(purchase)).toEqual(granted(purchase))
  expect((await auditSales({ sql, log: testLog }))?.findings).toEqual([])
  expect(await sql`select id from job where kind = ${refreshKind}`).toHaveLength(0)
})

test('a purchase is never paid without a payment, unless nothing was to pay; its checks are added without reading the table', async () => {
  const { id } = await insertTestPurchase(sql)
  const pay = (amount: number | null) => sql`update purchase set state = 'paid', paid_amount = ${amount} where id = ${id}`.execute()
  for (const amount of [null, 999]) await expect(pay(amount)).rejects.toThrow('purchase_paid')
  await pay(0)
  expect([
    ...(await sql`
      select conname as name from pg_constraint where contype = 'c' and convalidated
      and (conname in ('purchase_paid', 'purchase_paid_amount') or conname like 'reversal_conver%')`),
  ]).toEqual([])
  await sql`delete from purchase where id = ${id}`
})

test('a checkout with nothing to pay of another account, another checkout or a closed account goes to review', async () => {
  const [other, closed] = [await insertTestPurchase(sql), await insertTestPurchase(sql)]
  await sql`insert into account (id, name, closed_at) values (${closed.accountId}, 'Studio', now())`
  await tell(other, freeSession(other, { metadata: { account: 'somebody-else' } }))()
  await tell(closed)()
  const states = [await ended(other), await ended(closed)].map(({ state, review, balance }) => [state, review, balance])
  expect(states).toEqual([
    ['review', 'the payment names another account', 0],
    ['review', 'the account was closed before it was paid', 0],
  ])
  expect(await acceptPurchase(sql, other.id)).toBe('not_paid')
})

test('a payment for a purchase that cost nothing changes nothing of it', async () => {
  const purchase = await insertTestPurchase(sql)
  await tell(purchase)()
  await tell(purchase, sessionOf(purchase, 'pi_after', { id: `cs_${purchase.id}` }) as never)()
  expect(await ended(purchase)).toEqual(granted(purchase))
  expect(await sql`select outcome from stripe_event where fact ->> 'paymentIntentId' = 'pi_after'`).toMatchObject([
    { outcome: 'second_payment' },
  ])
})
