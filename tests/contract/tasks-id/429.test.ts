import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError, retryAfterSeconds, untilRefused } from '../../support/client/errors'

test('polls count; a refused one says when to come back', async () => {
  const { api } = await openAccount()
  const { refused, answered } = await untilRefused(() => api.task('vt_x'))
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([404]))
  expectError(refused, 429, 'rate_limited')
  retryAfterSeconds(refused)
})
