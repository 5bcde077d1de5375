import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'

test('another method is refused with the one there is; another path is not found', async () => {
  const { api } = await openAccount()
  for (const [method, path, allow] of [
    ['GET', '/video/generations', 'POST'],
    ['DELETE', '/video/generations', 'POST'],
    ['POST', '/credits', 'GET'],
    ['PUT', '/tasks/vt_x', 'GET'],
  ] as const) {
    const answer = await api.send(method, path)
    expectError(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe(allow)
  }
  expectError(await api.get('/nowhere'), 404, 'not_found')
})
