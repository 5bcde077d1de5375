import { test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'

test('a status, a limit or a cursor that is none', async () => {
  const { api } = await openAccount()
  for (const query of ['status=done', 'limit=101', 'cursor=x', 'state=failed', 'tag=project', 'tag=A=x'])
    expectError(await api.get(`/tasks?${query}`), 400, 'invalid_request')
})
