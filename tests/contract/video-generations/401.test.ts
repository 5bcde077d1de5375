import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'
import { smallRequest } from '../../support/client/request'
import { operate } from '../../support/operator/operator'
import { until } from '../../support/until'

test('without a key, and before anything of the request is looked at', async () => {
  const nobody = createApi(null)
  expectError(await nobody.generate(smallRequest()), 401, 'missing_api_key')
  expectError(await nobody.send('POST', '/video/generations', { body: 'x'.repeat(70_000) }), 401, 'missing_api_key')
})

test('with a key that isn’t one', async () => {
  const { apiKey } = await openAccount()
  const last = apiKey.at(-1) === 'a' ? 'b' : 'a'
  for (const key of ['sk_live_nonsense', `${apiKey.slice(0, -1)}${last}`, `${apiKey}x`, apiKey.toLowerCase()])
    expectError(await createApi(key).generate(smallRequest()), 401, 'invalid_api_key')
})

test('with a right key that is not written as a bearer token: how to write it', async () => {
  const { apiKey } = await openAccount()
  const nobody = createApi(null)
  for (const authorization of [
    `Key ${apiKey}`,
    apiKey,
    `Bearer "${apiKey}"`,
    `Bearer Bearer ${apiKey}`,
    `Token token=${apiKey}`,
    'Bearer ',
  ]) {
    const answer = await nobody.get('/credits', { authorization })
    expectError(answer, 401, 'missing_api_key')
    expect(answer.body.error?.message).toStartWith(
      'The Authorization header holds no bearer token. Write it as "Authorization: Bearer sk_live_…"',
    )
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="filmgate"')
  }
  expect((await nobody.get('/credits', { authorization: `bearer  ${apiKey}` })).status).toBe(200)
})

test('with a revoked key, within 5 seconds', async () => {
  const { api, accountId } = await openAccount()
  const { data } = await operate<{ data: { id: string }[] }>('gateway', 'GET', `/accounts/${accountId}/keys`)
  await operate('gateway', 'DELETE', `/keys/${data[0]?.id}`)
  const answer = await until(
    'the revocation',
    async () => {
      const seen = await api.get('/credits')
      return seen.status === 401 && seen
    },
    5_000,
  )
  expectError(answer, 401, 'invalid_api_key')
  expect((await api.generate(smallRequest())).status).toBe(401)
})
