import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

test('no estimate without a key', async () => {
  expectError(await createApi(null).send('POST', '/video/estimate', { body: '{}' }), 401, 'missing_api_key')
})
