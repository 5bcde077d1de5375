import { test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'

test('a body over 64 KiB is refused', async () => {
  const { api } = await openAccount()
  const body = JSON.stringify({ prompt: 'x'.repeat(65_536) })
  expectError(await api.send('POST', '/video/estimate', { headers: { 'content-type': 'application/json' }, body }), 413, 'body_too_large')
})
