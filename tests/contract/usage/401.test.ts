import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

test('no usage without a key', async () => {
  expectError(await createApi(null).get('/usage'), 401, 'missing_api_key')
  expectError(await createApi(null).get('/usage/summary'), 401, 'missing_api_key')
})
