import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError, retryAfterSeconds } from '../../support/client/errors'

test('reads of the balance count too', async () => {
  const { api } = await openAccount()
  const left = Number((await api.get('/credits')).headers.get('ratelimit')?.match(/r=(\d+)/)?.[1])
  const statuses = await Promise.all(Array.from({ length: left }, async () => (await api.get('/credits')).status))
  expect(left).toBeGreaterThan(0)
  expect(statuses.filter(status => status !== 200)).toEqual([])
  const refused = await api.get('/credits')
  expectError(refused, 429, 'rate_limited')
  expect(retryAfterSeconds(refused)).toBeLessThanOrEqual(60)
})
