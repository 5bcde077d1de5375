import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'

test('a client that has the catalog is not sent it again', async () => {
  const { api } = await openAccount()
  const etag = (await api.get('/models')).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[^"]+"$/)
  const again = await api.get('/models', { 'if-none-match': etag })
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await api.get('/models', { 'if-none-match': '"another"' })).status).toBe(200)
})
