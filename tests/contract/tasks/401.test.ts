import { test } from 'bun:test'
import { createApi } from '../../support/api'
import { expectError } from '../../support/errors'

test('no list without a key', async () => {
  expectError(await createApi(null).get('/tasks'), 401, 'missing_api_key')
})
