import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'

test('a key is read, and not changed by itself', async () => {
  const { api } = await openAccount()
  const refused = await api.send('PATCH', '/keys/self', { headers: { 'content-type': 'application/json' }, body: '{"models":null}' })
  expectError(refused, 405, 'method_not_allowed')
  expect(refused.headers.get('allow')).toBe('GET')
})
