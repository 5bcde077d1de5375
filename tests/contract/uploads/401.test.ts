import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'
import { askUpload } from '../../support/client/upload'

test('no upload without a key', async () => {
  const [none, wrong] = [createApi(null), createApi('nonsense')]
  expectError(await askUpload(none, { type: 'image/png', bytes: 4 }), 401, 'missing_api_key')
  expectError(await askUpload(wrong, { type: 'image/png', bytes: 4 }), 401, 'invalid_api_key')
  expectError(await none.get(`/uploads/${'x'.repeat(22)}`), 401, 'missing_api_key')
})
