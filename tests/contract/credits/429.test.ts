import { expect, test } from 'bun:test'
import { openAccount } from '../../support/account'
import { expectError, retryAfterSeconds } from '../../support/errors'

test('reads of the balance count too', async () => {
  const { api } = await openAccount()
  const left = Number((await api.get('/credits')).headers.get('ratelimit')?.match(/r=(\d+)/)?.[1])
  await Promise.all(Array.from({ length: left }, () => api.get('/credits')))
  const refused = await api.get('/credits')
  expectError(refused, 429, 'rate_limited')
  expect(retryAfterSeconds(refused)).toBeLessThanOrEqual(60)
})
