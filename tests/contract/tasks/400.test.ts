import { test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'

test('a status, a limit or a cursor that is none', async () => {
  const { api } = await openAccount()
  for (const query of [
    'status=done',
    'limit=101',
    'cursor=x',
    'state=failed',
    'tag=project',
    'tag=A=x',
    'idempotency_key=',
    'idempotency_key=a%20b',
    `idempotency_key=${'a'.repeat(161)}`,
    'idempotency_key=a&idempotency_key=a',
  ])
    expectError(await api.get(`/tasks?${query}`), 400, 'invalid_request')
})
