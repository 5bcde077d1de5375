import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

test('no balance without a key', async () => {
  expectError(await createApi(null).get('/credits'), 401, 'missing_api_key')
  expectError(await createApi('nonsense').get('/credits'), 401, 'invalid_api_key')
})
