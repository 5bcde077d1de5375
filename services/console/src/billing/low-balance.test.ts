import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { openConsole, type TestConsole } from '../testing/open-console'
import { ownersOnly, whoMay } from '../testing/who-may'
import { billing } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(deps => new Elysia().use(billing({ ...deps, stripe: undefined, packs: [], paymentAskAfterMs: 1 })))
})
afterAll(() => site.close())

async function accountWith(threshold: number | null) {
  const account = await site.newAccount()
  site.gateway.on(`GET /accounts/${account.id}`, { available_credits: 5, starter_credits: 0, low_balance_credits: threshold })
  site.gateway.on(`PUT /accounts/${account.id}/low-balance`, ({ body }) => ({ low_balance_credits: (body as { credits: number }).credits }))
  return { ...account, sent: () => site.gateway.seen.filter(({ method, path }) => method === 'PUT' && path.includes(account.id)) }
}

test('owners set the threshold of webhooks, and nobody else', async () => {
  const account = await accountWith(250)
  expect(await whoMay(site, account, '/billing/low-balance', () => ({ credits: '100' }))).toEqual(ownersOnly(303))
  expect(account.sent().map(({ body }) => body)).toEqual([{ credits: 100 }])
  expect(await site.acts(account.id)).toMatchObject([{ act: 'low_balance.set', details: { credits: 100 } }])
  expect((await site.ask(account.owner, `${account.path}/billing`)).text).toContain('value="250"')
  expect((await site.ask(account.member, `${account.path}/billing`)).text).not.toContain('low-balance')
})

test('an empty threshold is none, and what is no number of credits is refused', async () => {
  const account = await accountWith(null)
  expect((await site.ask(account.owner, `${account.path}/billing/low-balance`, { form: { credits: '' } })).status).toBe(303)
  for (const credits of ['0', '-1', '1.5', 'many', '9'.repeat(14)]) {
    const { status, text } = await site.ask(account.owner, `${account.path}/billing/low-balance`, { form: { credits } })
    expect([status, text.includes('class="issue"'), text.includes(`value="${credits}"`)]).toEqual([400, true, true])
  }
  expect(account.sent().map(({ body }) => body)).toEqual([{ credits: null }])
})
