import { expect, test } from 'bun:test'
import { createKey, openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { budgetsOf, setBudget } from '../../support/operator/budgets'
import { audit } from '../../support/operator/operator'
import { opsDone } from '../../support/operator/ops'
import { moveSpend, spentByKey } from '../../support/servers/databases'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

async function twoKeys() {
  const { api, accountId } = await openAccount()
  const { key_id: keyId, api_key } = await createKey(accountId)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const request = smallRequest({ prompt })
  const { credits: price } = JSON.parse((await api.estimate(request)).text) as { credits: number }
  return { api, other: createApi(api_key), accountId, keyId, request, price }
}

test('a key’s cap holds to the credit for requests at once; 402 says which budget, what it has left and when it comes back', async () => {
  const { api, other, accountId, keyId, request, price } = await twoKeys()
  const caps = { month: 3 * price - 1, time_zone: 'America/New_York' }
  const { time_zone } = await setBudget(accountId, 'key', keyId, caps)
  const answers = await Promise.all([1, 2, 3].map(() => other.generate(request)))
  expect([time_zone, answers.map(({ status }) => status).toSorted()]).toEqual(['America/New_York', [202, 202, 402]])
  const details = answers.flatMap(answer => (answer.status === 402 ? [expectError(answer, 402, 'budget_exceeded')] : []))
  const resetsAt = (await budgetsOf(accountId)).data[0]?.caps[0]?.resets_at
  const left = { required_credits: price, left_credits: price - 1, resets_at: resetsAt }
  expect(details).toEqual([{ budget: 'key', period: 'month', ...left }])
  expect(new Date(resetsAt ?? '').toISOString()).toMatch(/-01T0[45]:00:00.000Z$/)
  await Promise.all(answers.flatMap(({ status, body }) => (status === 202 ? [other.taskOnce(body.id)] : [])))
  expect((await api.generate(request)).status).toBe(202)
  expect((await spentByKey(accountId)).find(({ key }) => key === keyId)).toEqual({ key: keyId, credits: 2 * price })
  expect(await audit()).toEqual([])
})

test('a refund makes room in the month of its reservation alone, and a new month is whole', async () => {
  const { api, accountId, request, price } = await twoKeys()
  await setBudget(accountId, 'account', accountId, { month: price })
  const failing = ownWords()
  await simulator.behave(failing, [{ name: 'moderated' }])
  const failed = (await api.generate({ ...request, prompt: failing })).body
  await moveSpend(accountId, '2026-01-31')
  await api.taskOnce(failed.id)
  expect((await api.generate(request)).status).toBe(202)
  expectError(await api.generate(request), 402, 'budget_exceeded')
  const cap = async () => (await budgetsOf(accountId)).data[0]?.caps[0]
  await until('what is spent', async () => (await cap())?.left_credits === 0)
  expect(await audit()).toEqual([])
})

test('`ops budget` sets, lists and clears; what is lowered below its spend refuses what is new and nothing else', async () => {
  const { api, accountId, request, price } = await twoKeys()
  await opsDone('budget', 'set', accountId, 'account', '--total', String(5 * price), '--day', String(5 * price))
  const listed = async () => JSON.parse(await opsDone('budget', 'list', accountId, '--json')).data
  await until('the ledger to take it', async () => (await listed())[0]?.applied)
  const { body } = await api.generate(request)
  await opsDone('budget', 'set', accountId, 'account', '--total', '1')
  await until('the ledger to take it', async () => (await listed())[0]?.applied)
  const details = expectError(await api.generate(request), 402, 'budget_exceeded')
  expect(details).toEqual({ budget: 'account', period: 'total', required_credits: price, left_credits: 0, resets_at: null })
  expect((await api.taskOnce(body.id)).status).toBe('completed')
  await opsDone('budget', 'clear', accountId, 'account')
  expect(await listed()).toEqual([])
  await until('a request to pass', async () => (await api.generate(request)).status === 202)
})
