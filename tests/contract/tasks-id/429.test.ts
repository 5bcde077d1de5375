import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError, retryAfterSeconds } from '../../support/client/errors'

test('polls count; a refused one says when to come back', async () => {
  const { api } = await openAccount()
  const { headers } = await api.task('vt_x')
  const left = Number(headers.get('ratelimit')?.match(/r=(\d+)/)?.[1])
  const statuses = await Promise.all(Array.from({ length: left }, async () => (await api.task('vt_x')).status))
  expect([left > 0, statuses.every(status => status === 404)]).toEqual([true, true])
  const refused = await api.task('vt_x')
  expectError(refused, 429, 'rate_limited')
  retryAfterSeconds(refused)
})
