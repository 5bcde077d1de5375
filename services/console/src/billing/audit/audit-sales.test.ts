import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { migrationsFolder } from '../../database/migrations-folder'
import { applyFact } from '../events/apply-fact'
import type { Purchase } from '../purchases/purchase'
import type { Fact } from '../stripe/facts'
import { insertTestPurchase } from '../testing/purchase'
import { advisoryLock } from './audit-repository'
import { auditSales } from './audit-sales'
import { auditWhenDue, exposeSalesAudit } from './audit-when-due'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)
beforeEach(async () => {
  await sql`truncate payment_change, reversal, purchase, payment_audit`
})

const audit = () => auditSales({ sql, log: testLog })
const findings = async () => (await audit())?.findings
const paymentOf = ({ id }: Purchase) => `pi_${id}`

const tell = (fact: Fact) => sql.begin(sql => applyFact(sql, { fact, livemode: false, observedAt: new Date() }))
const reverse = (purchase: Purchase, reversal: 'refund' | 'dispute', reversalId: string, amount: number, status: string) =>
  tell({ kind: 'reversal', reversal, reversalId, paymentIntentId: paymentOf(purchase), amount, currency: 'usd', status })

/** 1,000 credits for 9.99. */
async function paid(amount = 999): Promise<Purchase> {
  const purchase = await insertTestPurchase(sql)
  const { id: purchaseId, accountId, currency } = purchase
  await tell({ kind: 'payment', purchaseId, accountId, paymentIntentId: paymentOf(purchase), amount, currency })
  return purchase
}

/** A purchase that is paid and a third refunded. Its refund's id ends with the purchase's id. */
async function refunded(): Promise<Purchase> {
  const purchase = await paid()
  await reverse(purchase, 'refund', `re_${purchase.id}`, 333, 'succeeded')
  return purchase
}

test('sales that are in order have no finding, whatever became of them', async () => {
  await paid()
  await insertTestPurchase(sql)
  await reverse(await paid(1_200), 'refund', 're_of_review', 300, 'succeeded')
  const disputed = await refunded()
  await reverse(disputed, 'dispute', 'dp_1', 999, 'needs_response')
  await reverse(await refunded(), 'dispute', 'dp_2', 333, 'prevented_paid_back')
  const failed = await paid()
  await reverse(failed, 'refund', 're_failed', 500, 'pending')
  await reverse(failed, 'refund', 're_failed', 500, 'failed')
  await tell({
    ...{ kind: 'reversal', reversal: 'refund', reversalId: 're_early', paymentIntentId: 'pi_unknown' },
    ...{ amount: 5, currency: 'usd', status: 'succeeded' },
  })
  expect(await audit()).toEqual({ purchases: 6, total: 0, findings: [] })
  await reverse(disputed, 'dispute', 'dp_1', 999, 'won')
  expect(await findings()).toEqual([])
})

test('what waits for the ledger is no finding for an hour, and one after', async () => {
  const { id } = await refunded()
  await sql`update payment_change set created_at = now() - interval '59 minutes' where purchase_id = ${id}`
  expect(await findings()).toEqual([])
  await sql`update payment_change set created_at = now() - interval '61 minutes' where purchase_id = ${id}`
  await sql`update payment_change set state = 'applied' where id = ${`stripe:pi_${id}`}`
  await sql`update payment_change set state = 'refused' where id = ${`stripe:re_${id}`}`
  const detail = expect.stringMatching(new RegExp(`^the debit stripe:re_${id} has been refused for 36\\d\\d s$`))
  expect(await findings()).toEqual([{ check: 'change_waits', purchaseId: id, detail }])
})

/** Each case: how the rows are corrupted, and the expected findings. */
const faults: [string, (purchase: Purchase) => PromiseLike<unknown>, [check: string, detail: (id: string) => string][]][] = [
  [
    'a grant that is lost',
    ({ id }) => sql`delete from payment_change where purchase_id = ${id} and kind = 'grant'`,
    [['credits_differ', () => 'expected 667 credits, but grants minus debits are -333']],
  ],
  [
    'a debit that is lost',
    ({ id }) => sql`delete from payment_change where purchase_id = ${id} and kind = 'debit'`,
    [['credits_differ', () => 'expected 667 credits, but grants minus debits are 1000']],
  ],
  [
    'a debit of other credits',
    ({ id }) => sql`update payment_change set credits = 334 where purchase_id = ${id} and kind = 'debit'`,
    [['credits_differ', () => 'expected 667 credits, but grants minus debits are 666']],
  ],
  [
    'an amount that is counted otherwise',
    ({ id }) => sql`update reversal set counted = 300 where id = ${`re_${id}`}`,
    [['counted_differs', id => `the refund re_${id} is counted as 300 instead of 333`]],
  ],
  [
    'a refund that is forgotten',
    ({ id }) => sql`delete from reversal where id = ${`re_${id}`}`,
    [['credits_differ', () => 'expected 1000 credits, but grants minus debits are 667']],
  ],
  [
    'a refund whose status was told and not followed',
    ({ id }) => sql`update reversal set status = 'failed' where id = ${`re_${id}`}`,
    [
      ['credits_differ', () => 'expected 1000 credits, but grants minus debits are 667'],
      ['counted_differs', id => `the refund re_${id} is counted as 333 instead of 0`],
    ],
  ],
  [
    'credits without a payment',
    ({ id }) => sql`update purchase set state = 'review' where id = ${id}`,
    [
      ['change_unpaid', id => `it has the status review but has changes: stripe:pi_${id}, stripe:re_${id}`],
      ['counted_differs', id => `the refund re_${id} is counted as 333 instead of 0`],
    ],
  ],
]

test.each(faults)('%s is found', async (_, plant, expected) => {
  await refunded()
  const purchase = await refunded()
  await plant(purchase)
  const { id: purchaseId } = purchase
  expect(await findings()).toEqual(expected.map(([check, detail]) => ({ check, purchaseId, detail: detail(purchaseId) }) as never))
})

test('money that is counted and went back of no purchase’s payment is found', async () => {
  const { id } = await refunded()
  await sql`update reversal set payment_intent_id = 'pi_unknown' where id = ${`re_${id}`}`
  expect(await findings()).toEqual([
    {
      check: 'credits_differ',
      purchaseId: id,
      detail: 'expected 1000 credits, but grants minus debits are 667',
    },
    { check: 'counted_differs', purchaseId: null, detail: `the refund re_${id} is counted as 333 instead of 0` },
  ])
})

/** Granted purchases with half of each refunded, inserted directly. */
const insertMany = async (purchases: number) => {
  await sql`
    insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode, state, payment_intent_id)
    select gen_random_uuid(), 'a', 'p', 'small', 1, 'Small', 1000, 1000, 'usd', false, 'granted', 'pi_' || number
    from generate_series(1, ${purchases}) number`
  await sql`
    insert into reversal (id, kind, payment_intent_id, amount, currency, status, told_at, counted, changes)
    select 're_' || payment_intent_id, 'refund', payment_intent_id, 500, 'usd', 'succeeded', now(), 500, 1 from purchase`
  await sql`
    insert into payment_change (id, purchase_id, number, kind, credits, reason, state)
    select 'stripe:' || payment_intent_id, id, 1, 'grant', 1000, '', 'applied' from purchase
    union all select 'stripe:re_' || payment_intent_id, id, 2, 'debit', 500, '', 'applied' from purchase`
}

test('two thousand purchases take few statements; one fault among them is found, and of very many the first are kept', async () => {
  await insertMany(2_000)
  const last = await sql<{ id: string }[]>`select id from purchase order by id desc limit 1`
  await sql`delete from payment_change where purchase_id = ${last[0]?.id ?? ''} and kind = 'debit'`
  let statements = 0
  const counting = { options: { ...sql.options, debug: () => statements++ } } as unknown as Sql
  const audited = await auditSales({ sql: counting, log: testLog })
  expect(audited).toMatchObject({ purchases: 2_000, total: 1, findings: [{ purchaseId: last[0]?.id }] })
  // Five batches of a transaction with three statements, five of reversals, the lock, the result and the driver's own
  // queries.
  expect(statements).toBeGreaterThan(10)
  expect(statements).toBeLessThan(50)
  await sql`delete from payment_change where kind = 'debit'`
  const all = await audit()
  expect([all?.total, all?.findings.length]).toEqual([2_000, 100])
})

test('a run is due each hour, over all replicas, says each finding in the log and is what the metrics tell', async () => {
  const logged: unknown[] = []
  const log = { ...testLog, error: (fields: unknown) => logged.push(fields), info: () => {} } as unknown as Log
  const runs = async () => (await sql`select from payment_audit`).length
  exposeSalesAudit(sql)
  expect(await metricsText()).not.toMatch(/^payments_audit_findings/m)
  const { id } = await refunded()
  await sql`delete from payment_change where purchase_id = ${id} and kind = 'debit'`
  await auditWhenDue({ sql, log })
  await auditWhenDue({ sql, log })
  expect(await runs()).toBe(1)
  expect(logged).toEqual([{ check: 'credits_differ', purchase: id, detail: 'expected 667 credits, but grants minus debits are 1000' }])
  expect(await metricsText()).toMatch(/^payments_audit_findings(\{.*\})? 1$/m)
  await sql`update payment_audit set at = now() - interval '61 minutes'`
  const holder = await sql.reserve()
  await holder`select pg_advisory_lock(${advisoryLock})`
  await auditWhenDue({ sql, log })
  expect(await runs()).toBe(1)
  expect(await metricsText()).toMatch(/^payments_audit_age_seconds(\{.*\})? 36\d\d/m)
  await holder`select pg_advisory_unlock(${advisoryLock})`
  holder.release()
  await sql`insert into payment_change (id, purchase_id, number, kind, credits, reason) values ('mended', ${id}, 2, 'debit', 333, '')`
  await auditWhenDue({ sql, log })
  expect(await runs()).toBe(2)
  expect(await metricsText()).toMatch(/^payments_audit_findings(\{.*\})? 0$/m)
})
