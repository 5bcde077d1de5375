import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError, retryAfterSeconds, untilRefused } from '../../support/client/errors'

test('reads of the balance count too', async () => {
  const { api } = await openAccount()
  const { refused, answered } = await untilRefused(() => api.get('/credits'))
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]))
  expectError(refused, 429, 'rate_limited')
  expect(retryAfterSeconds(refused)).toBeLessThanOrEqual(60)
})
