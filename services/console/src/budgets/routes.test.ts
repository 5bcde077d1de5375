import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newFormId } from '../http/submit-once'
import { refusal } from '../testing/fake-gateway'
import { openConsole, type TestConsole } from '../testing/open-console'
import { ownersOnly, whoMay } from '../testing/who-may'
import { budgets } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(budgets)
})
afterAll(() => site.close())

const key = {
  ...{ key_id: 'k1', name: 'Website <b>', prefix: 'sk_live_k1', created_at: '2026-11-01T10:00:00.000Z', created_by: null },
  ...{ last_used_at: null, expires_at: null, revoked_at: null },
}
const cap = { period: 'month', max_credits: 5_000, spent_credits: 1_234, left_credits: 3_766, resets_at: '2026-11-30T23:00:00.000Z' }

async function newAccount() {
  const account = await site.newAccount()
  const path = `/accounts/${account.id}`
  site.gateway.on(`GET ${path}/keys`, { data: [key, { ...key, key_id: 'k2', revoked_at: '2026-11-02T10:00:00.000Z' }] })
  site.gateway.on(`GET ${path}/budgets`, { time_zone: 'Europe/Berlin', data: [{ budget: 'key', id: 'k1', applied: true, caps: [cap] }] })
  site.gateway.on(`PUT ${path}/budgets/:scope/:subject`, { time_zone: 'Europe/Berlin', data: [] })
  const sent = () => site.gateway.seen.filter(seen => seen.method === 'PUT' && seen.path.startsWith(path))
  return { ...account, sent }
}
const form = (fields: object = {}) => ({ form: newFormId(), total: '', day: '', month: '', time_zone: '', ...fields })

test('owners alone see and set budgets', async () => {
  const account = await newAccount()
  expect(await whoMay(site, account, '/budgets')).toEqual(ownersOnly(200))
  for (const path of ['/budgets/account', '/budgets/keys/k1', `/budgets/members/${account.member.id}`]) {
    expect(await whoMay(site, account, path)).toEqual(ownersOnly(200))
    expect(await whoMay(site, account, path, form)).toEqual(ownersOnly(303))
  }
  expect(account.sent()).toHaveLength(3)
})

test('the list has each key and member, what is spent and when that begins anew, as text', async () => {
  const account = await newAccount()
  const { text } = await site.ask(account.owner, `${account.path}/budgets`)
  expect(text).toContain('Website &lt;b&gt;')
  expect(text).toContain('1,234 of 5,000 credits spent, 3,766 left')
  expect(text).toContain('datetime="2026-11-30T23:00:00.000Z"')
  expect(text).toContain(`${account.path}/budgets/members/${account.viewer.id}`)
  expect(text).not.toContain('keys/k2')
})

test('caps are sent as they are written, an empty one as none, and the act is kept', async () => {
  const account = await newAccount()
  const shown = await site.ask(account.owner, `${account.path}/budgets/keys/k1`)
  expect(shown.text).toContain('value="5000"')
  const saved = await site.ask(account.owner, `${account.path}/budgets/keys/k1`, {
    form: form({ day: '0', month: '70', time_zone: 'UTC' }),
  })
  expect([saved.status, saved.location]).toEqual([303, `${account.path}/budgets?done=saved`])
  await site.ask(account.owner, `${account.path}/budgets/account`, { form: form({ time_zone: 'Asia/Tokyo' }) })
  expect(account.sent().map(({ path, body }) => [path, body])).toEqual([
    [`/accounts/${account.id}/budgets/key/k1`, { day: 0, month: 70 }],
    [`/accounts/${account.id}/budgets/account/${account.id}`, { time_zone: 'Asia/Tokyo' }],
  ])
  expect((await site.acts(account.id))[0]).toMatchObject({ act: 'budget.set', subject: 'k1', details: { day: 0, month: 70, total: null } })
})

test('what is no number, no time zone, or nothing of this account is refused and sets nothing', async () => {
  const account = await newAccount()
  for (const day of ['-1', '1.5', '1e3', 'many', '1'.repeat(13), '<b>']) {
    const refused = await site.ask(account.owner, `${account.path}/budgets/account`, { form: form({ day }) })
    expect([refused.status, refused.text.includes('Enter whole credits')]).toEqual([400, true])
    expect(refused.text).not.toContain('"<b>"')
  }
  const stranger = await newAccount()
  for (const path of ['keys/k2', 'keys/unknown', `members/${stranger.owner.id}`, 'members/unknown'])
    expect((await site.ask(account.owner, `${account.path}/budgets/${path}`, { form: form() })).status).toBe(404)
  expect(account.sent()).toEqual([])
  site.gateway.on(`PUT /accounts/${account.id}/budgets/:scope/:subject`, () => refusal(400, 'invalid_request'))
  const wrong = await site.ask(account.owner, `${account.path}/budgets/account`, { form: form({ time_zone: 'Mars/Base' }) })
  expect([wrong.status, wrong.text.includes('There is no such time zone.')]).toEqual([400, true])
})

test('a budget is set only after a sign-in of the last quarter of an hour, and a form once', async () => {
  const account = await newAccount()
  const once = form({ total: '1' })
  const path = `${account.path}/budgets/keys/k1`
  expect((await site.ask(account.owner, path, { form: once })).status).toBe(303)
  expect((await site.ask(account.owner, path, { form: once })).status).toBe(409)
  await site.rest(account.owner.id)
  expect((await site.ask(account.owner, path, { form: form() })).location).toContain('/security/confirm?next=')
  expect(account.sent()).toHaveLength(1)
})
