import { test } from 'bun:test'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'

test('the key is asked for before the id is looked at, of a list and of a stream', async () => {
  for (const accept of ['application/json', 'text/event-stream']) {
    expectError(await createApi(null).get('/tasks/vt%20x/events', { accept }), 401, 'missing_api_key')
    expectError(await createApi('sk_live_x').get('/tasks/vt_x/events', { accept }), 401, 'invalid_api_key')
  }
})
