import { expect, test } from 'bun:test'
import { openAccount } from '../../../support/client/account'
import { consoleOf } from '../../../support/client/console'
import { expectError } from '../../../support/client/errors'
import { audit } from '../../../support/operator/operator'
import { until } from '../../../support/until'

const paid = (credits: number, more: object = {}) => ({ body: { credits, balance: 'paid', reason: 'a payment', ...more } })
const ownId = () => `pay:${crypto.randomUUID()}`

test('a debit beyond the balance takes what is there; the rest is owed, and repaid by the next paid grants first', async () => {
  const { api, accountId } = await openAccount({ credits: 60 })
  const web = consoleOf(accountId)
  const id = ownId()
  const debited = await web.ask('PUT', `/debits/${id}`, paid(100, { beyond_balance: true }))
  expect(JSON.parse(debited.text)).toMatchObject({
    state: 'applied',
    credits: 100,
    applied: 60,
    owed: 40,
    available: 0,
    beyond_balance: true,
  })
  expect(debited.status).toBe(200)
  expect(await web.account()).toMatchObject({ available_credits: 0, owed_credits: 40 })
  expect(JSON.parse((await web.ask('PUT', `/debits/${id}`, paid(100, { beyond_balance: true }))).text)).toMatchObject({
    applied: 60,
    owed: 40,
  })
  expect(JSON.parse((await web.ask('PUT', `/grants/${ownId()}`, paid(30))).text)).toMatchObject({ applied: 0, owed: 30, available: 0 })
  expect(JSON.parse((await web.ask('PUT', `/grants/${ownId()}`, paid(30))).text)).toMatchObject({ applied: 20, owed: 10, available: 20 })
  await until('the balance at the API', async () => (await api.credits()) === 20)
  expect(await web.account()).toMatchObject({ available_credits: 20, owed_credits: 0 })
  const { data } = await web.read<{ data: { credits: number; balance_after: number }[] }>('/usage')
  expect(data.map(({ credits, balance_after }) => [credits, balance_after])).toEqual([
    [20, 20],
    [-60, 0],
    [60, 60],
  ])
  expect(await audit()).toEqual([])
})

test('without beyond_balance a debit is refused whole, as an operator’s is', async () => {
  const { accountId } = await openAccount({ credits: 60 })
  const web = consoleOf(accountId)
  const declined = JSON.parse((await web.ask('PUT', `/debits/${ownId()}`, paid(100))).text)
  expect(declined).toMatchObject({ state: 'declined', refusal: 'insufficient_credits', applied: 0, owed: 0 })
  expect(await web.account()).toMatchObject({ available_credits: 60, owed_credits: 0 })
})

test('starter credits are neither granted nor taken by this route', async () => {
  const { accountId } = await openAccount({ credits: 0 })
  for (const path of ['/grants/', '/debits/'])
    expectError(await consoleOf(accountId).ask('PUT', `${path}${ownId()}`, paid(5, { balance: 'starter' })), 400, 'invalid_request')
})
