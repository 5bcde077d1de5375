import { afterAll, expect, test } from 'bun:test'
import { claimJobs, type Job } from '@filmgate/kit/jobs/job-repository'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { migrationsFolder } from '../../database/migrations-folder'
import { auditSales } from '../audit/audit-sales'
import { auditWhenDue } from '../audit/audit-when-due'
import { applyFact } from '../events/apply-fact'
import { convertKind } from '../job-kinds'
import { countInReview } from '../purchases/count-in-review'
import type { Purchase } from '../purchases/purchase'
import type { Fact } from '../stripe/facts'
import type { StripeApi } from '../stripe/stripe-api'
import { fakeStripe } from '../testing/fakes'
import { insertTestPurchase } from '../testing/purchase'
import { convertDispute } from './convert-dispute'
import { convertedAmount, type DisputeShares } from './converted-amount'
import { queueConversions } from './queue-conversions'
import { setConverted } from './set-converted'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)

let seconds = 0
const tell = (fact: Fact) =>
  sql.begin(sql => applyFact(sql, { fact, livemode: false, observedAt: new Date(Date.UTC(2026, 10, 1) + ++seconds * 1_000) }))
const paymentOf = ({ id }: Purchase) => `pi_${id}`
const disputed = (purchase: Purchase, amount: number, status: string, currency = 'chf'): Fact => ({
  ...{ kind: 'reversal', reversal: 'dispute', reversalId: `dp_${purchase.id}`, paymentIntentId: paymentOf(purchase) },
  ...{ amount, currency, status },
})
const payment = (purchase: Purchase): Fact => ({
  ...{ kind: 'payment', purchaseId: purchase.id, accountId: purchase.accountId, paymentIntentId: paymentOf(purchase) },
  ...{ amount: 999, currency: 'usd' },
})
async function convert(stripe: Partial<StripeApi>): Promise<void> {
  await sql`update job set run_at = now(), lease_until = null where kind = ${convertKind}`
  for (const job of (await claimJobs<unknown>(sql, convertKind, 'test', 10_000, 100)) as Job[])
    await convertDispute({ sql, log: testLog, stripe: fakeStripe(stripe), wakeChanges: () => {} }, job)
}
const shown = (shares: DisputeShares) => ({ findDisputeShares: async () => shares })
const half: DisputeShares = { disputed: [{ amount: 500, currency: 'chf' }], charged: [{ amount: 1_000, currency: 'chf' }] }
/** Granted credits minus debited credits. */
async function left({ id }: Purchase): Promise<number> {
  const [row] = await sql<{ credits: number }[]>`
    select coalesce(sum(case kind when 'grant' then credits else -credits end), 0)::bigint as credits from payment_change where purchase_id = ${id}`
  return row?.credits ?? 0
}
const jobs = async () => (await sql`select from job where kind = ${convertKind}`).length
const findings = async () => (await auditSales({ sql, log: testLog }))?.findings

test('a dispute in another currency takes its share of the purchase, and gives it back when it is won', async () => {
  const purchase = await insertTestPurchase(sql)
  await tell(payment(purchase))
  await tell(disputed(purchase, 500, 'needs_response'))
  expect(await left(purchase)).toBe(1_000)
  await convert(shown(half))
  expect([await left(purchase), await countInReview(sql), await jobs()]).toEqual([501, 0, 0])
  expect(await findings()).toEqual([])
  await tell(disputed(purchase, 500, 'won'))
  expect([await left(purchase), await findings()]).toEqual([1_000, []])
})

test('told before its payment it takes the same share, and of another amount another', async () => {
  const purchase = await insertTestPurchase(sql)
  await tell(disputed(purchase, 500, 'needs_response'))
  await tell(payment(purchase))
  await convert(shown(half))
  expect(await left(purchase)).toBe(501)
  await tell(disputed(purchase, 250, 'under_review'))
  await convert(shown({ ...half, disputed: [{ amount: 250, currency: 'chf' }] }))
  expect([await left(purchase), await findings()]).toEqual([751, []])
})

test('where no share can be known nothing is taken and the purchase is in review, until Stripe shows one', async () => {
  const purchase = await insertTestPurchase(sql)
  await tell(payment(purchase))
  await tell(disputed(purchase, 500, 'needs_response'))
  await convert(shown({ disputed: [{ amount: 500, currency: 'chf' }], charged: [{ amount: 999, currency: 'usd' }] }))
  expect([await left(purchase), await countInReview(sql), await jobs(), await findings()]).toEqual([1_000, 1, 0, []])
  await tell(disputed(purchase, 500, 'under_review'))
  await convert(shown(half))
  expect([await left(purchase), await countInReview(sql)]).toEqual([501, 0])
})

test('a dispute without a known share that is won ends its review', async () => {
  const purchase = await insertTestPurchase(sql)
  await tell(payment(purchase))
  await tell(disputed(purchase, 500, 'needs_response'))
  await convert(shown({ disputed: [], charged: [] }))
  expect(await countInReview(sql)).toBe(1)
  await tell(disputed(purchase, 500, 'won'))
  expect([await countInReview(sql), await left(purchase)]).toEqual([0, 1_000])
})

test('a Stripe that can’t be asked is asked again, and what is told meanwhile is not converted by an old answer', async () => {
  const purchase = await insertTestPurchase(sql)
  await tell(payment(purchase))
  await tell(disputed(purchase, 500, 'needs_response'))
  await convert({
    findDisputeShares: async () => {
      throw new Error('Stripe is away')
    },
  })
  expect([await jobs(), await left(purchase)]).toEqual([1, 1_000])
  await convert({
    findDisputeShares: async () => {
      await tell(disputed(purchase, 100, 'under_review'))
      return half
    },
  })
  expect([await jobs(), await left(purchase)]).toEqual([1, 1_000])
  await convert(shown({ ...half, disputed: [{ amount: 100, currency: 'chf' }] }))
  expect([await jobs(), await left(purchase)]).toEqual([0, 901])
})

/** The rows as an earlier version leaves them: the dispute counts as the whole payment, without a conversion. */
async function countedWhole(): Promise<Purchase> {
  const purchase = await insertTestPurchase(sql)
  const id = `dp_${purchase.id}`
  await tell(payment(purchase))
  await tell(disputed(purchase, 500, 'needs_response'))
  await sql`delete from job where kind = ${convertKind}`
  await sql`update reversal set counted = 999, changes = 1, conversion = null where id = ${id}`
  await sql`
    insert into payment_change (id, purchase_id, number, kind, credits, reason)
    values (${`stripe:${id}`}, ${purchase.id}, 2, 'debit', 1000, 'dispute')`
  return purchase
}

test('what an earlier version counted as the whole payment is converted, and is no finding until it is', async () => {
  const purchase = await countedWhole()
  await sql`truncate payment_audit`
  await auditWhenDue({ sql, log: testLog })
  expect([await left(purchase), await findings(), await jobs()]).toEqual([0, [], 1])
  await convert(shown(half))
  expect([await left(purchase), await findings(), await jobs()]).toEqual([501, [], 0])
  await sql`truncate payment_audit`
  await auditWhenDue({ sql, log: testLog })
  expect([await left(purchase), await jobs()]).toEqual([501, 0])
})

test('of what an earlier version counted as the whole payment nothing stays taken where no share can be known', async () => {
  const purchase = await countedWhole()
  await queueConversions(sql)
  await convert(shown({ disputed: [], charged: [] }))
  expect([await left(purchase), await countInReview(sql), await jobs(), await findings()]).toEqual([1_000, 1, 0, []])
  await tell(disputed(purchase, 500, 'won'))
})

test('what an operator sets while Stripe is asked stands, whatever Stripe shows', async () => {
  for (const shares of [{ disputed: [], charged: [] }, half]) {
    const purchase = await insertTestPurchase(sql)
    await tell(payment(purchase))
    await tell(disputed(purchase, 500, 'needs_response'))
    await convert({
      findDisputeShares: async () => {
        const of = { id: purchase.id, paymentIntentId: paymentOf(purchase) }
        expect(await setConverted(sql, of, { reversalId: `dp_${purchase.id}`, amount: 333 })).toBe('set')
        return shares
      },
    })
    expect([await left(purchase), await countInReview(sql), await jobs(), await findings()]).toEqual([667, 0, 0, []])
  }
})

test('a dispute that Stripe shows to no key of ours is in review after an hour, and one of the other mode is not asked about', async () => {
  const purchase = await insertTestPurchase(sql)
  await tell(payment(purchase))
  await tell(disputed(purchase, 500, 'needs_response'))
  const missing = async () => {
    throw new Error('No such dispute')
  }
  let tries = 0
  for (; (await jobs()) > 0 && tries < 100; tries++) await convert({ findDisputeShares: missing })
  expect([tries, await left(purchase), await countInReview(sql), await findings()]).toEqual([15, 1_000, 1, []])
  await tell(disputed(purchase, 500, 'under_review'))
  await convert({ livemode: true, findDisputeShares: missing })
  expect([await jobs(), await countInReview(sql)]).toEqual([0, 0])
})

test('a purchase in review whose payment is disputed in another currency is in review no more, until the dispute is won', async () => {
  const purchase = await insertTestPurchase(sql)
  await tell({ ...payment(purchase), amount: 900 } as Fact)
  expect(await countInReview(sql)).toBe(1)
  await tell(disputed(purchase, 500, 'needs_response'))
  expect([await countInReview(sql), await jobs(), await findings()]).toEqual([0, 0, []])
  await tell(disputed(purchase, 500, 'won'))
  expect(await countInReview(sql)).toBe(1)
  await tell({ ...disputed(purchase, 900, 'succeeded', 'usd'), reversal: 'refund', reversalId: `re_${purchase.id}` } as Fact)
})

test('a share is of the first currency that both sums are shown in, rounded down, at most the whole', () => {
  const usd = (amount: number) => ({ amount, currency: 'usd' })
  const chf = (amount: number) => ({ amount, currency: 'chf' })
  expect(convertedAmount(999, { disputed: [chf(1)], charged: [usd(999), chf(3)] })).toBe(333)
  expect(convertedAmount(999, { disputed: [chf(5), usd(100)], charged: [usd(200)] })).toBe(499)
  expect(convertedAmount(999, { disputed: [chf(9)], charged: [chf(3)] })).toBe(999)
  for (const charged of [[], [usd(999)], [chf(0)]]) expect(convertedAmount(999, { disputed: [chf(5)], charged })).toBeUndefined()
})
