import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

test('no catalog without a key', async () => {
  expectError(await createApi(null).get('/models'), 401, 'missing_api_key')
  expectError(await createApi('nonsense').get('/models'), 401, 'invalid_api_key')
})
