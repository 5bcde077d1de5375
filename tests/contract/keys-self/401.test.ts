import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

test('nothing of a key without it', async () => {
  expectError(await createApi(null).get('/keys/self'), 401, 'missing_api_key')
  expectError(await createApi('nonsense').get('/keys/self'), 401, 'invalid_api_key')
})
