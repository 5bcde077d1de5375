import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

test('the key is asked for before the id is looked at', async () => {
  expectError(await createApi(null).get('/tasks/vt%20x'), 401, 'missing_api_key')
  expectError(await createApi('sk_live_x').get('/tasks/vt_x'), 401, 'invalid_api_key')
})
