import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { smallRequest } from '../../support/client/request'

test('an id that is none, and a Last-Event-ID that no event has', async () => {
  const { api } = await openAccount()
  for (const id of ['x'.repeat(121), 'vt_x.y', 'vt%20x', '%00']) expectError(await api.get(`/tasks/${id}/events`), 400, 'invalid_task_id')
  const { id } = (await api.generate(smallRequest())).body
  for (const after of ['-1', '1.5', 'evt_1', '1, 2', '1'.repeat(10)]) {
    const refused = await api.get(`/tasks/${id}/events`, { accept: 'text/event-stream', 'last-event-id': after })
    expect(expectError(refused, 400, 'invalid_request')).toMatchObject({ issues: [{ path: 'Last-Event-ID', rule: 'header' }] })
  }
})
