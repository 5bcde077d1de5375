import { afterAll, beforeAll, expect, test } from 'bun:test'
import { applyFact } from '../../billing/events/apply-fact'
import { insertTestPurchase } from '../../billing/testing/purchase'
import { accountId } from '../testing/fake-services'
import { type OperateSystem, startOperateSystem, wholeForm } from '../testing/operate-system'

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
})
afterAll(() => system?.stop())

/** A purchase of 1,000 credits for 9.99 USD, disputed in francs. */
async function disputed(): Promise<string> {
  const { id } = await insertTestPurchase(system.sql, { accountId })
  const reversal = { kind: 'reversal', reversal: 'dispute', reversalId: `dp_${id}`, paymentIntentId: `pi_${id}` } as const
  const facts = [
    { kind: 'payment', purchaseId: id, accountId, paymentIntentId: `pi_${id}`, amount: 999, currency: 'usd' } as const,
    { ...reversal, amount: 500, currency: 'chf', status: 'needs_response' },
  ]
  for (const fact of facts) await system.sql.begin(sql => applyFact(sql, { fact, livemode: false, observedAt: new Date() }))
  await system.sql`update reversal set conversion = 'unknown' where id = ${`dp_${id}`}`
  return id
}
const set = (id: string, fields: Record<string, string>, as: 'money' | 'support' = 'money') =>
  system.send(`/operate/purchases/${id}/disputes`, as, wholeForm({ reversal: `dp_${id}`, ...fields }))
const debitsOf = (id: string) => system.sql`select id, credits from payment_change where purchase_id = ${id} and kind = 'debit'`

test('a purchase with a dispute of no known share is shown in review with why; its share is set once, and who did it is kept', async () => {
  const id = await disputed()
  const page = await (await system.ask('/operate/purchases', 'money')).text()
  expect(page).toContain(`the dispute dp_${id} is of CHF\u00a05.00, and its share of the payment is not known`)
  expect(page).toContain(`action="/operate/purchases/${id}/disputes"`)
  for (const amount of ['1000', '-1', '1.5', '']) await set(id, { amount })
  expect(await debitsOf(id)).toHaveLength(0)
  const answer = await set(id, { amount: '333' })
  expect(await (await system.ask(answer.headers.get('location') ?? '', 'money')).text()).toContain('counts as 333')
  await set(id, { amount: '999' })
  expect([...(await debitsOf(id))]).toEqual([{ id: `stripe:dp_${id}`, credits: 333 }])
  expect(await (await system.ask('/operate/purchases', 'money')).text()).not.toContain('its share of the payment is not known')
  const acts = await system.sql`select act, email, details, outcome from operator_act where subject = ${id} and outcome = 'done'`
  expect([...acts]).toEqual([
    { act: 'dispute_converted', email: 'money@example.com', details: { reversal: `dp_${id}`, amount: 333 }, outcome: 'done' },
  ])
})

test('without the role, or for a dispute of another payment, nothing is set', async () => {
  const [one, other] = [await disputed(), await disputed()]
  expect((await set(one, { amount: '1' }, 'support')).status).toBe(403)
  await set(one, { amount: '1', reversal: `dp_${other}` })
  expect([await debitsOf(one), await debitsOf(other)]).toEqual([[], []] as never)
})
