import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { simulator } from '../../support/simulator'

test('a key that is bound to another body is refused and buys nothing', async () => {
  const { api } = await openAccount()
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'instant' }])
  expect((await api.generate(smallRequest({ prompt }), { idempotencyKey })).status).toBe(202)
  const credits = await api.credits()
  expectError(await api.generate(smallRequest({ prompt: `${prompt}!` }), { idempotencyKey }), 409, 'idempotency_key_reused')
  expectError(await api.generate(smallRequest({ prompt, max_credits: 9_999 }), { idempotencyKey }), 409, 'idempotency_key_reused')
  expect(await api.credits()).toBe(credits)
  expect(await simulator.submits(prompt)).toHaveLength(1)
})

test('the look-up of the key comes before the body’s rules: a faulty other body is 409 too', async () => {
  const { api } = await openAccount()
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'instant' }])
  await api.generate(smallRequest({ prompt }), { idempotencyKey })
  expectError(await api.generate({ nonsense: true }, { idempotencyKey }), 409, 'idempotency_key_reused')
})
