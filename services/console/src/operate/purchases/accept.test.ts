import { afterAll, beforeAll, expect, test } from 'bun:test'
import { roles } from '@filmgate/kit/environment/operator-environment'
import { html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import { findPurchase } from '../../billing/purchases/purchase-repository'
import { insertTestPurchase } from '../../billing/testing/purchase'
import { accountId } from '../testing/fake-services'
import { type OperateSystem, startOperateSystem, wholeForm } from '../testing/operate-system'
import { acceptForm } from './accept-form'

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
})
afterAll(() => system?.stop())

async function reviewed() {
  const { id } = await insertTestPurchase(system.sql, { accountId })
  await system.sql`
    update purchase set state = 'review', payment_intent_id = ${`pi_${id}`}, paid_amount = 1200, paid_currency = 'usd' where id = ${id}`
  return id
}
const changesCell = (id: string) => system.sql`select id, kind, credits from payment_change where purchase_id = ${id}`

test('an accepted purchase is granted under its payment’s id, once, and who accepted what and why is kept', async () => {
  const id = await reviewed()
  const answer = await system.send(`/operate/purchases/${id}/accept`, 'money', wholeForm({ reason: 'tax was on' }))
  expect(await (await system.ask(answer.headers.get('location') ?? '', 'money')).text()).toContain(`The purchase ${id} is accepted`)
  await system.send(`/operate/purchases/${id}/accept`, 'money')
  expect([...(await changesCell(id))]).toEqual([{ id: `stripe:pi_${id}`, kind: 'grant', credits: 1_000 }])
  const acts = await system.sql`select email, act, account_id, reason, details, outcome from operator_act where subject = ${id} order by id`
  expect([...acts]).toMatchObject([
    {
      ...{ email: 'money@example.com', act: 'purchase_accepted', account_id: accountId, reason: 'tax was on', outcome: 'done' },
      details: { paid: 1_200, currency: 'usd' },
    },
    { outcome: 'refused' },
  ])
})

test('without the role, a reason or the tick nothing is accepted, and there is no purchase of an unknown id', async () => {
  const id = await reviewed()
  expect((await system.send(`/operate/purchases/${id}/accept`, 'support')).status).toBe(403)
  const faults: Record<string, string>[] = [{ reason: '' }, { confirm: '' }]
  for (const fault of faults) expect((await system.send(`/operate/purchases/${id}/accept`, 'money', wholeForm(fault))).status).toBe(400)
  for (const unknown of [crypto.randomUUID(), 'none'])
    expect((await system.send(`/operate/purchases/${unknown}/accept`, 'money')).status).toBe(404)
  expect(await changesCell(id)).toHaveLength(0)
})

test('the form is there for who may accept it, while it is in review, with what was paid', async () => {
  const purchase = await findPurchase(system.sql, await reviewed())
  if (!purchase) throw new Error('the purchase is gone')
  const forms = roles.map(role => acceptForm({ person: {} as never, role }, purchase, undefined))
  expect(forms.map(form => form !== false)).toEqual(roles.map(role => hasRole(role, 'money')))
  expect(html`${forms.at(-1)}`.text).toContain('The customer paid $12.00; the pack costs $9.99.')
  expect(acceptForm({ person: {} as never, role: 'money' }, { ...purchase, state: 'granted' }, undefined)).toBe(false)
})
