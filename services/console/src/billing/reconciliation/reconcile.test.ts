import { afterAll, beforeEach, expect, test } from 'bun:test'
import { claimJobs, insertJobs, type Job } from '@filmgate/kit/jobs/job-repository'
import { startJobWorker } from '@filmgate/kit/jobs/job-worker'
import type { Log } from '@filmgate/kit/telemetry/log'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { migrationsFolder } from '../../database/migrations-folder'
import { auditSales } from '../audit/audit-sales'
import { applyEvent } from '../events/apply-event'
import { applyFact } from '../events/apply-fact'
import { eventKind, reconcileKind, refreshKind } from '../job-kinds'
import type { Purchase } from '../purchases/purchase'
import { findPurchase } from '../purchases/purchase-repository'
import type { Fact, PaymentFact, ReversalFact } from '../stripe/facts'
import type { ListedFact, StripeList } from '../stripe/list-page'
import { fakeStripe } from '../testing/fakes'
import { insertTestPurchase } from '../testing/purchase'
import { reconcile } from './reconcile'
import { exposeReconciliation, reconcileWhenDue } from './reconcile-when-due'
import { periodOf } from './reconciliation'
import { requestReconciliation } from './request-reconciliation'
import { findReconciliation, listReconciliations } from './run-repository'

const { sql, drop } = await testDatabase(migrationsFolder)
const events = startJobWorker({
  ...{ sql, log: testLog, kind: eventKind, concurrency: 4, leaseMs: 10_000, pollEveryMs: 50 },
  run: job => applyEvent({ sql, log: testLog, wakeChanges: () => {} }, job),
})
afterAll(async () => {
  await events.stop()
  await drop()
})

const warned: unknown[] = []
const log = {
  ...testLog,
  warn: (fields: unknown) => warned.push(fields),
  error: (fields: unknown) => warned.push(fields),
} as unknown as Log
const dayMs = 86_400_000
/** Stripe's lists, newest first, and the pages that were requested. */
const listed: Record<StripeList, { fact: ListedFact | undefined; id: string; fault?: string }[]> = {
  charges: [],
  refunds: [],
  disputes: [],
}
const pages: string[] = []
/** How many requests are rejected first. */
let refusals = 0
const pageLength = 2
const stripe = fakeStripe({
  async listPage(list, _, after) {
    pages.push(`${list} ${after ?? ''}`.trim())
    if (refusals > 0) {
      refusals -= 1
      throw new Error('429: asks for less')
    }
    const from = after ? listed[list].findIndex(({ id }) => id === after) + 1 : 0
    const page = listed[list].slice(from, from + pageLength)
    const next = from + pageLength < listed[list].length ? page.at(-1)?.id : undefined
    return {
      count: page.length,
      facts: page.flatMap(({ fact, fault }) => (fault || !fact ? [] : [fact])),
      unreadable: page.flatMap(({ id, fault }) => (fault ? [{ id, fault }] : [])),
      next,
    }
  },
})

beforeEach(async () => {
  await sql`truncate payment_change, reversal, purchase, payment_audit, stripe_event, stripe_difference, job`
  await sql`truncate stripe_reconciliation cascade`
  for (const list of ['charges', 'refunds', 'disputes'] as const) listed[list] = []
  pages.length = 0
  warned.length = 0
  refusals = 0
})

const paymentOf = ({ id }: Purchase) => `pi_${id}`
const payment = (purchase: Purchase, more: Partial<PaymentFact> = {}): PaymentFact => ({
  ...{ kind: 'payment', purchaseId: purchase.id, accountId: purchase.accountId, paymentIntentId: paymentOf(purchase) },
  ...{ amount: 999, currency: 'usd' },
  ...more,
})
const reversal = (purchase: Purchase, kind: 'refund' | 'dispute', amount: number, status: string): ReversalFact => ({
  ...{ kind: 'reversal', reversal: kind, reversalId: `${kind === 'refund' ? 're' : 'dp'}_${purchase.id}` },
  ...{ paymentIntentId: paymentOf(purchase), amount, currency: 'usd', status },
})
const atStripe = (fact: ListedFact) => {
  const [list, id] =
    fact.kind === 'payment' ? (['charges', `ch_${fact.paymentIntentId}`] as const) : ([`${fact.reversal}s`, fact.reversalId] as const)
  listed[list] = [{ fact, id }, ...listed[list].filter(each => each.id !== id)]
}
const tell = (fact: Fact, observedAt = new Date(Date.now() - 60_000)) =>
  sql.begin(sql => applyFact(sql, { fact, livemode: false, observedAt }))

/** A purchase that was created two hours ago. */
async function purchaseOf(): Promise<Purchase> {
  const purchase = await insertTestPurchase(sql)
  await sql`update purchase set created_at = now() - interval '2 hours' where id = ${purchase.id}`
  return purchase
}
async function paid(): Promise<Purchase> {
  const purchase = await purchaseOf()
  await tell(payment(purchase))
  atStripe(payment(purchase))
  await sql`update purchase set paid_at = now() - interval '1 hour' where id = ${purchase.id}`
  return purchase
}
async function left({ id }: Purchase): Promise<number> {
  const [row] = await sql<{ credits: number }[]>`
    select coalesce(sum(case kind when 'grant' then credits else -credits end), 0)::bigint as credits from payment_change where purchase_id = ${id}`
  return row?.credits ?? 0
}

const signal = new AbortController().signal
async function claimed(): Promise<Job[]> {
  await sql`update job set run_at = now(), lease_until = null where kind = ${reconcileKind}`
  return (await claimJobs<unknown>(sql, reconcileKind, 'test', 60_000, 10)) as Job[]
}
const deps = { sql, stripe, log, now: () => new Date(), wakeEvents: () => events.wake() }
async function runOnce(): Promise<void> {
  for (const job of await claimed()) await reconcile(deps, job, signal)
}
async function byHand(more: { dryRun?: boolean; livemode?: boolean } = {}) {
  const run = await requestReconciliation(sql, {
    ...{ from: new Date(Date.now() - dayMs), to: new Date(), dryRun: false, livemode: false },
    ...{ requestedBy: 'ada@example.com', reason: 'a call', ...more },
  })
  await runOnce()
  return findReconciliation(sql, run?.id ?? '')
}
const checks = async () => (await auditSales({ sql, log: testLog }))?.findings.map(({ check, purchaseId }) => [check, purchaseId])

test('what no event told is applied once, also where an event tells it later, and the audit is clean', async () => {
  const [known, missedPayment, refunded, disputed] = [await paid(), await purchaseOf(), await paid(), await paid()]
  for (const fact of [
    payment(missedPayment),
    reversal(missedPayment, 'refund', 333, 'succeeded'),
    reversal(refunded, 'refund', 999, 'succeeded'),
    reversal(disputed, 'dispute', 500, 'lost'),
  ])
    atStripe(fact)
  await tell(reversal(disputed, 'dispute', 500, 'warning_needs_response'))
  expect(await byHand()).toMatchObject({
    ...{ state: 'done', charges: 4, refunds: 2, disputes: 1, missed: 4, total: 0, findings: [], fault: null, step: 'compare' },
  })
  const credits = async () => [await left(known), await left(missedPayment), await left(refunded), await left(disputed)]
  expect(await credits()).toEqual([1_000, 667, 0, 500])
  await tell(reversal(missedPayment, 'refund', 333, 'pending'), new Date(Date.now() - 5_000))
  await tell(reversal(refunded, 'refund', 999, 'succeeded'), new Date())
  await tell(payment(missedPayment), new Date())
  expect([await credits(), await checks()]).toEqual([[1_000, 667, 0, 500], []])
  expect(await byHand()).toMatchObject({ missed: 0, total: 0 })
  expect(await sql`select from stripe_listed`).toHaveLength(0)
  expect(await metricsText()).toMatch(/^payments_missed_total\{(.*,)?object="refund"(,.*)?\} 2$/m)
})

test('a dry run shows what would be applied, and applies nothing', async () => {
  const purchase = await paid()
  atStripe(reversal(purchase, 'refund', 333, 'succeeded'))
  const unpaid = await purchaseOf()
  expect(await byHand({ dryRun: true })).toMatchObject({
    ...{ state: 'done', missed: 1, total: 1 },
    findings: [
      {
        ...{ check: 'reversal_differs', purchaseId: purchase.id },
        detail: `the refund re_${purchase.id} is 333 usd, succeeded at Stripe but unknown here`,
      },
    ],
  })
  for (const fact of [payment(unpaid), reversal(unpaid, 'refund', 333, 'succeeded')]) atStripe(fact)
  expect(await byHand({ dryRun: true })).toMatchObject({ missed: 3, total: 3 })
  expect([await left(purchase), await sql`select from stripe_event`, await checks()]).toEqual([1_000, [], []] as never)
})

test('what can’t be applied is a finding of the audit until a reconciliation finds it alike', async () => {
  const [other, gone, unlisted] = [await paid(), await paid(), await paid()]
  atStripe(payment(other, { amount: 900 }))
  listed.charges = listed.charges.filter(({ id }) => id !== `ch_${paymentOf(gone)}`)
  await tell(reversal(unlisted, 'refund', 333, 'succeeded'))
  await sql`update reversal set created_at = now() - interval '1 hour', told_at = now() - interval '1 hour'`
  listed.disputes.push({ id: 'dp_odd', fact: undefined, fault: 'dispute/amount: expected integer' })
  expect(await byHand()).toMatchObject({ state: 'done', missed: 0, total: 4 })
  const expected = [
    ['payment_differs', other.id],
    ['not_listed', gone.id],
    ['not_listed', unlisted.id],
    ['unreadable', null],
  ]
  expect((await checks())?.toSorted()).toEqual(expected.toSorted() as never)
  for (const purchase of [other, gone]) atStripe(payment(purchase))
  atStripe(reversal(unlisted, 'refund', 333, 'succeeded'))
  listed.disputes = [{ id: 'dp_odd', fact: undefined }]
  await byHand()
  expect(await checks()).toEqual([['unreadable', null]])
  await reconcileWhenDue({ sql, livemode: false, now: () => new Date() })
  await runOnce()
  expect(await checks()).toEqual([])
})

test('payments and reversals of other products, and play money of other databases, are left alone', async () => {
  const foreign = { ...(await purchaseOf()), id: crypto.randomUUID() }
  for (const fact of [
    payment(foreign),
    payment(foreign, { paymentIntentId: 'pi_shop', purchaseId: null, accountId: null }),
    reversal(foreign, 'refund', 1, 'succeeded'),
  ])
    atStripe(fact)
  expect(await byHand()).toMatchObject({ charges: 2, refunds: 1, missed: 0, total: 0 })
  expect(await sql`select from reversal`).toHaveLength(0)
})

test('a Stripe that asks for less is asked later, and the lists go on where they were', async () => {
  const purchases = await Promise.all(Array.from({ length: 5 }, () => paid()))
  for (const purchase of purchases) atStripe(reversal(purchase, 'refund', 999, 'succeeded'))
  const [first, second] = [listed.refunds[1]?.id, listed.refunds[3]?.id]
  await requestReconciliation(sql, {
    ...{ from: new Date(Date.now() - dayMs), to: new Date(), dryRun: false, livemode: false, requestedBy: 'ada', reason: 'r' },
  })
  listed.charges = listed.charges.slice(0, 2)
  const original = stripe.listPage
  stripe.listPage = async (list, period, after) => {
    if (list === 'refunds' && after === first && refusals === 0) refusals = 1
    return original(list, period, after)
  }
  await runOnce()
  expect([pages, warned.length]).toEqual([['charges', 'refunds', `refunds ${first}`], 1])
  expect((await listReconciliations(sql, 1))[0]).toMatchObject({ state: 'running', step: 'refunds', after: first, refunds: 2 })
  stripe.listPage = original
  pages.length = 0
  await runOnce()
  expect(pages).toEqual([`refunds ${first}`, `refunds ${second}`, 'disputes'])
  expect((await listReconciliations(sql, 1))[0]).toMatchObject({ state: 'done', refunds: 5, missed: 5 })
  for (const purchase of purchases) expect(await left(purchase)).toBe(0)
})

test('whose lease was taken over writes nothing more', async () => {
  const purchase = await paid()
  atStripe(reversal(purchase, 'refund', 999, 'succeeded'))
  await requestReconciliation(sql, {
    ...{ from: new Date(Date.now() - dayMs), to: new Date(), dryRun: false, livemode: false, requestedBy: 'ada', reason: 'r' },
  })
  const [old] = await claimed()
  const [taken] = await claimed()
  if (!old || !taken) throw new Error('there is no job')
  await reconcile(deps, old, signal)
  expect((await listReconciliations(sql, 1))[0]).toMatchObject({ state: 'running', pages: 0 })
  await reconcile(deps, taken, signal)
  expect([await left(purchase), (await listReconciliations(sql, 1))[0]?.state]).toEqual([0, 'done'])
})

test('a dispute that was lost behind its end is told once, and is no finding', async () => {
  const purchase = await paid()
  await tell(reversal(purchase, 'dispute', 999, 'won'))
  atStripe(reversal(purchase, 'dispute', 999, 'lost'))
  expect(await byHand()).toMatchObject({ missed: 1, total: 0 })
  expect(await byHand()).toMatchObject({ missed: 0, total: 0 })
  expect(await sql`select outcome from stripe_event`).toMatchObject([{ outcome: 'reopened' }])
  expect([await left(purchase), await checks()]).toEqual([1_000, []])
})

test('an appeal that is lost is applied, and is no finding, whichever of both is told first', async () => {
  const [purchase, other] = [await paid(), await paid()]
  await tell(reversal(purchase, 'dispute', 999, 'appeal_under_review'))
  await tell(reversal(other, 'dispute', 999, 'lost'), new Date(Date.now() - 30_000))
  await tell(reversal(other, 'dispute', 999, 'appeal_under_review'))
  for (const each of [purchase, other]) atStripe(reversal(each, 'dispute', 999, 'lost'))
  expect(await byHand()).toMatchObject({ missed: 1, total: 0 })
  expect(await byHand()).toMatchObject({ missed: 0, total: 0 })
  expect([await left(purchase), await checks()]).toEqual([0, []])
})

test('a second payment that no event told is kept as one, and is no finding', async () => {
  const purchase = await paid()
  atStripe(payment(purchase, { paymentIntentId: 'pi_second' }))
  expect(await byHand()).toMatchObject({ missed: 1, total: 0 })
  expect(await byHand()).toMatchObject({ missed: 0, total: 0 })
  expect(await sql`select outcome from stripe_event`).toMatchObject([{ outcome: 'second_payment' }])
})

test('what was heard since Stripe was asked is newer than its list', async () => {
  const purchase = await paid()
  await tell(reversal(purchase, 'dispute', 999, 'won'), new Date(Date.now() + 60_000))
  atStripe(reversal(purchase, 'dispute', 999, 'under_review'))
  expect(await byHand()).toMatchObject({ missed: 0, total: 0 })
})

test('a purchase that no end is known of is asked about, as one that costs nothing is in no list', async () => {
  const purchase = await purchaseOf()
  await insertJobs(sql, [{ kind: refreshKind, id: purchase.id, runAfterMs: dayMs }])
  await byHand()
  expect(await sql`select id from job where kind = ${refreshKind} and run_at <= now()`).toMatchObject([{ id: purchase.id }])
  expect((await findPurchase(sql, purchase.id))?.state).toBe('created')
})

test('the day’s reconciliation is begun once over all replicas, and looks back far enough for disputes', async () => {
  const at = (day: number) => () => new Date(Date.UTC(2026, 10, day, 12))
  for (const day of [3, 3, 4]) await Promise.all([1, 2].map(() => reconcileWhenDue({ sql, livemode: false, now: at(day) })))
  const runs = await sql<{ id: string }[]>`select id from stripe_reconciliation order by id`
  expect(runs.map(({ id }) => id)).toEqual(['daily-test-2026-11-03', 'daily-test-2026-11-04'])
  expect(await sql`select from job where kind = ${reconcileKind}`).toHaveLength(2)
  const run = await findReconciliation(sql, 'daily-test-2026-11-03')
  if (!run) throw new Error('it is gone')
  const days = (list: StripeList) => (run.to.getTime() - periodOf(run, list).from.getTime()) / dayMs
  expect([days('charges'), days('refunds'), days('disputes')]).toEqual([35, 35, 180])
  // Newer events may still be in delivery.
  expect(run.to.toISOString()).toBe('2026-11-03T11:45:00.000Z')
})

test('one by hand runs at a time; one of another mode, or that takes too long, ends with why, and is no daily one', async () => {
  exposeReconciliation(sql)
  const input = { from: new Date(Date.now() - dayMs), to: new Date(), dryRun: false, requestedBy: 'ada', reason: 'r' }
  expect(await requestReconciliation(sql, { ...input, livemode: true })).toMatchObject({ state: 'running' })
  expect(await requestReconciliation(sql, { ...input, livemode: false })).toBeUndefined()
  await runOnce()
  expect((await listReconciliations(sql, 1))[0]).toMatchObject({ state: 'failed', fault: 'the Stripe key has another mode now' })
  const late = await requestReconciliation(sql, { ...input, livemode: false })
  await sql`update stripe_reconciliation set created_at = now() - interval '7 hours' where id = ${late?.id ?? ''}`
  await runOnce()
  expect(await findReconciliation(sql, late?.id ?? '')).toMatchObject({
    state: 'failed',
    fault: 'it did not finish within six hours',
  })
  await byHand()
  const age = async () => Number(/^payments_reconciled_age_seconds(?:\{.*\})? (.*)$/m.exec(await metricsText())?.[1])
  expect(await age()).toBeGreaterThan(1)
  await reconcileWhenDue({ sql, livemode: false, now: () => new Date() })
  await runOnce()
  expect(await age()).toBeLessThan(1)
})
