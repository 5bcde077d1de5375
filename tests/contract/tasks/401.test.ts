import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

test('no list without a key', async () => {
  expectError(await createApi(null).get('/tasks'), 401, 'missing_api_key')
})
