import { expect, test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

const routes = [
  ['GET', ''],
  ['POST', ''],
  ['GET', '/whe_1'],
  ['PATCH', '/whe_1'],
  ['DELETE', '/whe_1'],
  ['POST', '/whe_1/rotate'],
  ['POST', '/whe_1/test'],
  ['POST', '/whe_1/resume'],
  ['GET', '/whe_1/deliveries'],
  ['POST', '/whe_1/replay'],
] as const

test('no webhook endpoint without a key, and no other method', async () => {
  for (const [method, path] of routes) {
    expectError(await createApi(null).send(method, `/webhook-endpoints${path}`), 401, 'missing_api_key')
    const other = await createApi(null).send('PUT', `/webhook-endpoints${path}`)
    expectError(other, 405, 'method_not_allowed')
    expect(other.headers.get('allow')?.split(', ')).toContain(method)
  }
})
