import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { audit, operate } from '../../support/operator/operator'
import { simulator } from '../../support/simulator'

test('too few paid credits: refused with both figures, nothing charged, nothing sent, the key not bound', async () => {
  const { api, accountId } = await openAccount({ credits: 1 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const idempotencyKey = crypto.randomUUID()
  const details = expectError(await api.generate(smallRequest({ prompt }), { idempotencyKey }), 402, 'insufficient_credits')
  expect(details).toEqual({ required_credits: expect.any(Number), available_credits: 1 })
  expect(await api.credits()).toBe(1)
  expect(await simulator.submits(prompt)).toEqual([])
  await operate('gateway', 'POST', `/accounts/${accountId}/grants`, {
    id: crypto.randomUUID(),
    credits: 1_000,
    balance: 'paid',
    reason: 'topped up',
    by: 'a test',
  })
  expect((await api.generate(smallRequest({ prompt }), { idempotencyKey })).status).toBe(202)
  expect(await audit()).toEqual([])
})

test('starter credits never fund the API', async () => {
  const { api } = await openAccount({ credits: 0, starterCredits: 1_000 })
  expectError(await api.generate(smallRequest()), 402, 'insufficient_credits')
  expect(await api.credits()).toBe(0)
})

test('exactly enough is enough, and then it is spent: the balance never goes below nothing', async () => {
  const { api: rich } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const price = (await rich.generate(smallRequest({ prompt }))).body.credits_used
  const { api } = await openAccount({ credits: price })
  const answers = await Promise.all([1, 2, 3].map(() => api.generate(smallRequest({ prompt }))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 402, 402])
  expect(await api.credits()).toBe(0)
})
