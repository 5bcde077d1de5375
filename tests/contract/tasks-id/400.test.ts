import { test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'

test('an id that is too long or has a strange character is no id', async () => {
  const { api } = await openAccount()
  for (const id of ['x'.repeat(121), 'vt_x.y', 'vt%20x', 'vt_%C3%A4', "'%20or%201=1", '%00'])
    expectError(await api.get(`/tasks/${id}`), 400, 'invalid_task_id')
})
