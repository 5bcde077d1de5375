import { expect, test } from 'bun:test'
import { createKey, openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { smallRequest } from '../../support/client/request'
import { setBudget } from '../../support/operator/budgets'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

test('a key reads its own name, limits and spend, and nothing of the account’s other keys', async () => {
  const { accountId, api: other } = await openAccount()
  const bindings = { models: ['alpha-h3-fast'], addresses: ['0.0.0.0/0', '::/0'] }
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const key = await createKey(accountId, { expires_at, ...bindings })
  const api = createApi(key.api_key)
  const self = async () => JSON.parse((await api.get('/keys/self')).text)
  const shown = {
    key_id: key.key_id,
    prefix: key.api_key.slice(0, 20),
    name: 'another',
    created_at: expect.any(String),
    expires_at,
    limits: { requests_per_minute: expect.any(Number), unfinished_tasks: expect.any(Number), ...bindings },
  }
  expect(await self()).toEqual({ ...shown, spend: { today_credits: 0, month_credits: 0 }, budgets: [] })
  const [kept, refused, others] = [smallRequest(), smallRequest(), smallRequest()]
  for (const { prompt } of [kept, others]) await simulator.behave(prompt, [{ name: 'instant' }])
  await simulator.behave(refused.prompt, [{ name: 'refuse_content' }])
  const { credits_used: cost } = (await api.generate(kept)).body
  await api.generate(refused)
  await other.generate(others)
  const spent = await until('the refund', async () => {
    const read = await self()
    return read.spend.month_credits === cost && read
  })
  expect(spent).toEqual({ ...shown, spend: { today_credits: cost, month_credits: cost }, budgets: [] })
})

test('a key reads the budgets that it is held to, its own and its account’s, and no other’s', async () => {
  const { accountId, api } = await openAccount()
  const [{ key_id: keyId, api_key }, { key_id: otherKeyId }] = [await createKey(accountId), await createKey(accountId)]
  await setBudget(accountId, 'key', otherKeyId, { total: 1 })
  await setBudget(accountId, 'member', 'ada', { total: 1 })
  await setBudget(accountId, 'account', accountId, { day: 900, time_zone: 'Asia/Tokyo' })
  await setBudget(accountId, 'key', keyId, { total: 700 })
  const request = smallRequest()
  await simulator.behave(request.prompt, [{ name: 'instant' }])
  const own = createApi(api_key)
  const { credits_used: cost } = (await own.generate(request)).body
  const budgets = await until('the spend', async () => {
    const { budgets } = JSON.parse((await own.get('/keys/self')).text)
    return budgets[0]?.spent_credits > 0 && budgets[1]?.spent_credits > 0 && budgets
  })
  const spent = (max: number) => ({ max_credits: max, spent_credits: cost, left_credits: max - cost })
  expect(budgets).toEqual([
    { budget: 'key', period: 'total', ...spent(700), resets_at: null },
    { budget: 'account', period: 'day', ...spent(900), resets_at: expect.stringMatching(/T15:00:00.000Z$/) },
  ])
  const { budgets: ofOther } = JSON.parse((await api.get('/keys/self')).text)
  expect(ofOther).toMatchObject([{ budget: 'account', left_credits: 900 - cost }])
})
