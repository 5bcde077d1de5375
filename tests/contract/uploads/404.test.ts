import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { openUpload } from '../../support/client/upload'

test('another account’s upload is answered byte for byte like one that never was', async () => {
  const [own, other] = await Promise.all([openAccount(), openAccount()])
  const { id } = await openUpload(own.api, 'image/png', new Uint8Array(4))
  const [foreign, unknown] = await Promise.all([other.api.get(`/uploads/${id}`), other.api.get(`/uploads/${'x'.repeat(22)}`)])
  expectError(foreign, 404, 'upload_not_found')
  expect(foreign.text).toBe(unknown.text)
  expect((await own.api.get(`/uploads/${id}`)).status).toBe(200)
  for (const odd of ['x', `${id}.png`, `${own.accountId}%2F${id}`, '%00', `${id}%20`])
    expectError(await other.api.get(`/uploads/${odd}`), 404, 'upload_not_found')
})

test('an upload has no other methods', async () => {
  const { api } = await openAccount()
  const answer = await api.get('/uploads')
  expectError(answer, 405, 'method_not_allowed')
  expect(answer.headers.get('allow')).toBe('POST')
})
