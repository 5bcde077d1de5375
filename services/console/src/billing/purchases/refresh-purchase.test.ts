import { afterAll, expect, test } from 'bun:test'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { claimJobs, insertJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { migrationsFolder } from '../../database/migrations-folder'
import { saveCustomer } from '../customers/customer-repository'
import { applyFact } from '../events/apply-fact'
import { receiveUndelivered } from '../events/receive-undelivered'
import { changesKind, refreshKind } from '../job-kinds'
import { sessionFact } from '../stripe/facts'
import type { StripeApi } from '../stripe/stripe-api'
import { eventOf, sessionOf } from '../testing/deliver'
import { fakeStripe } from '../testing/fakes'
import { insertTestPurchase } from '../testing/purchase'
import { endCheckouts } from './end-checkouts'
import type { Purchase } from './purchase'
import { findPurchase } from './purchase-repository'
import { refreshPurchase } from './refresh-purchase'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)
const hourMs = 3_600_000
const errors: unknown[] = []
const log = { ...testLog, warn: () => {}, error: (fields: unknown) => errors.push(fields) } as unknown as Log

async function silentPurchase(): Promise<Purchase> {
  const purchase = await insertTestPurchase(sql)
  await saveCustomer(sql, purchase, `cus_${purchase.id}`)
  return purchase
}

async function askAbout(purchase: Purchase, stripe: Partial<StripeApi>, laterMs = 0): Promise<Purchase | undefined> {
  await insertJobs(sql, [{ kind: refreshKind, id: purchase.id }])
  const jobs = await claimJobs<unknown>(sql, refreshKind, 'test', 10_000, 100)
  const job = jobs.find(({ id }) => id === purchase.id) as Job
  const now = () => new Date(Date.now() + laterMs)
  await refreshPurchase({ sql, log, stripe: fakeStripe(stripe), paymentAskAfterMs: 600_000, now, wakeChanges: () => {} }, job)
  return findPurchase(sql, purchase.id)
}
const jobsOf = ({ id }: Purchase) => sql<{ kind: string }[]>`select kind from job where id = ${id} order by kind`
const opened = (session: Record<string, unknown>) => ({ ...sessionFact(session), url: null })

test('a payment whose webhook was lost is found by its customer, with what went back of it since', async () => {
  const purchase = await silentPurchase()
  const payment = `pi_${purchase.id}`
  const asked = await askAbout(purchase, {
    listSessions: async customer => (customer === `cus_${purchase.id}` ? [opened(sessionOf(purchase, payment))] : []),
    listReversals: async paymentIntentId => [
      {
        kind: 'reversal',
        reversal: 'refund',
        reversalId: `re_${purchase.id}`,
        paymentIntentId,
        amount: 999,
        currency: 'usd',
        status: 'succeeded',
      },
    ],
  })
  expect(asked).toMatchObject({ state: 'paid', sessionId: `cs_${payment}`, paymentIntentId: payment })
  expect(await sql`select id, kind, credits from payment_change where purchase_id = ${purchase.id} order by number`).toMatchObject([
    { id: `stripe:${payment}`, kind: 'grant', credits: 1_000 },
    { id: `stripe:re_${purchase.id}`, kind: 'debit', credits: 1_000 },
  ])
  expect(await jobsOf(purchase)).toMatchObject([{ kind: changesKind }])
})

test('an answer that was overtaken by an event changes nothing that the event told', async () => {
  const purchase = await silentPurchase()
  const payment = `pi_${purchase.id}`
  const refund = {
    kind: 'reversal',
    reversal: 'refund',
    reversalId: `re_${purchase.id}`,
    paymentIntentId: payment,
    currency: 'usd',
  } as const
  await askAbout(purchase, {
    listSessions: async () => [opened(sessionOf(purchase, payment))],
    listReversals: async () => {
      // Stripe dates events to the second.
      const observedAt = new Date(Math.floor(Date.now() / 1_000) * 1_000)
      const fact = { ...refund, amount: 900, status: 'succeeded' }
      await sql.begin(sql => applyFact(sql, { fact, livemode: false, observedAt }))
      return [{ ...refund, amount: 300, status: 'succeeded' }]
    },
  })
  expect(await sql`select amount from reversal where id = ${refund.reversalId}`).toMatchObject([{ amount: 900 }])
})

test('a second payment that is found by asking is named in the log', async () => {
  const purchase = await silentPurchase()
  await askAbout(purchase, { listSessions: async () => [opened(sessionOf(purchase, `pi_${purchase.id}`))] })
  errors.length = 0
  await askAbout(purchase, { findSession: async () => opened(sessionOf(purchase, 'pi_of_another')) })
  expect(errors).toEqual([{ purchase: purchase.id, outcome: 'second_payment' }])
})

test('what is still open, or can’t be asked, is asked about again', async () => {
  const open = await silentPurchase()
  const session = sessionOf(open, 'pi_0', { status: 'open', payment_status: 'unpaid', payment_intent: null })
  expect(await askAbout(open, { listSessions: async () => [opened(session)] })).toMatchObject({ state: 'open' })
  const unanswered = await silentPurchase()
  const listSessions = async () => {
    throw new Error('Stripe is away')
  }
  expect(await askAbout(unanswered, { listSessions })).toMatchObject({ state: 'created' })
  for (const purchase of [open, unanswered]) expect(await jobsOf(purchase)).toMatchObject([{ kind: refreshKind }])
})

test('what was begun with a key of another mode is not asked about: this one knows nothing of it', async () => {
  const purchase = await silentPurchase()
  expect(await askAbout(purchase, { livemode: true })).toMatchObject({ state: 'created' })
  expect(await jobsOf(purchase)).toHaveLength(0)
})

test('an account that is closed has its open checkouts ended at Stripe, at once', async () => {
  const [open, paid] = [await silentPurchase(), await silentPurchase()]
  await sql`update purchase set account_id = ${open.accountId}, state = 'paid', payment_intent_id = 'pi_of_closed' where id = ${paid.id}`
  await insertJobs(sql, [{ kind: refreshKind, id: open.id, runAfterMs: hourMs }])
  await sql`insert into account (id, name, closed_at) values (${open.accountId}, 'Studio', now())`
  await sql.begin(sql => endCheckouts(sql, open.accountId))
  const due = await sql`select id from job where kind = ${refreshKind} and run_at <= now() and id in (${open.id}, ${paid.id})`
  expect(due).toMatchObject([{ id: open.id }])
  const session = sessionOf(open, 'pi_1', { status: 'open', payment_status: 'unpaid', payment_intent: null })
  const ended: string[] = []
  const asked = await askAbout(open, {
    listSessions: async () => [opened(session)],
    endSession: async id => {
      ended.push(id)
      return opened({ ...session, status: 'expired' })
    },
  })
  expect([asked?.state, ended]).toEqual(['expired', ['cs_pi_1']])
})

test('a checkout that was never opened ends when none can be open any more, not before', async () => {
  const purchase = await silentPurchase()
  expect(await askAbout(purchase, {}, hourMs)).toMatchObject({ state: 'created' })
  await sql`delete from job where id = ${purchase.id}`
  expect(await askAbout(purchase, {}, 5 * hourMs)).toMatchObject({ state: 'expired' })
  expect(await jobsOf(purchase)).toHaveLength(0)
})

test('events that could not be delivered are fetched, each once, and one that can’t be read holds up no other', async () => {
  const purchase = await silentPurchase()
  const lost = eventOf('checkout.session.completed', sessionOf(purchase, `pi_${purchase.id}`))
  const unreadable = eventOf('refund.created', { id: 're_x' })
  const asked: Date[] = []
  const stripe = fakeStripe({
    listUndelivered: async since => {
      asked.push(since)
      return [unreadable, lost]
    },
  })
  let woken = 0
  const deps = { sql, log: testLog, stripe, now: () => new Date(), wakeEvents: () => woken++ }
  await receiveUndelivered(deps)
  await receiveUndelivered(deps)
  expect(woken).toBe(1)
  // The whole time that Stripe lists events, so that unreadable ones are found again.
  expect(asked.every(since => Date.now() - since.getTime() > 29.9 * 24 * hourMs)).toBe(true)
  expect(await sql`select id from stripe_event where id in (${lost.id}, ${unreadable.id})`).toMatchObject([{ id: lost.id }])
})
