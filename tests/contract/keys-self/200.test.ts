import { expect, test } from 'bun:test'
import { createKey, openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { smallRequest } from '../../support/client/request'
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
  expect(await self()).toEqual({ ...shown, spend: { today_credits: 0, month_credits: 0 } })
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
  expect(spent).toEqual({ ...shown, spend: { today_credits: cost, month_credits: cost } })
})
