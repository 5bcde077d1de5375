import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'

test('every fault of a query is named', async () => {
  const { api } = await openAccount()
  const { issues } = expectError(await api.get('/usage?from=soon&limit=0&models=x&cursor=y'), 400, 'invalid_request') as {
    issues: { path: string }[]
  }
  expect(issues.map(({ path }) => path)).toEqual(['models', 'from', 'cursor', 'limit'])
  expectError(await api.get('/usage/summary?from=2020-01-01'), 400, 'invalid_request')
  for (const query of ['?tag=project', '?key_id=', '/summary?by=hour', '/summary?by=tag:a,tag:b', '?by=day'])
    expectError(await api.get(`/usage${query}`), 400, 'invalid_request')
  const beyond = Buffer.from(JSON.stringify(['+275760-09-13T00:00:00.000Z', 'x', 'y'])).toString('base64url')
  for (const query of ['?from=0000-01-01', '/summary?from=0000-01-01&to=0000-02-01', `?cursor=${beyond}`])
    expectError(await api.get(`/usage${query}`), 400, 'invalid_request')
})
