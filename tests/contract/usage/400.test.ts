import { expect, test } from 'bun:test'
import { openAccount } from '../../support/account'
import { expectError } from '../../support/errors'

test('every fault of a query is named', async () => {
  const { api } = await openAccount()
  const { issues } = expectError(await api.get('/usage?from=soon&limit=0&models=x&cursor=y'), 400, 'invalid_request') as {
    issues: { path: string }[]
  }
  expect(issues.map(({ path }) => path)).toEqual(['models', 'from', 'cursor', 'limit'])
  expectError(await api.get('/usage/summary?from=2020-01-01'), 400, 'invalid_request')
})
