import { expect, test } from 'bun:test'
import { bindKey, createKey, openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'
import { smallRequest } from '../../support/client/request'
import { askOperator } from '../../support/operator/operator'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

const hourMs = 3_600_000

test('a key’s end is a moment of RFC 3339 that is still to come, or the key is not made', async () => {
  const { accountId } = await openAccount()
  const ask = (expires_at: unknown) => askOperator('gateway', 'POST', `/accounts/${accountId}/keys`, { name: 'another', expires_at })
  const soon = new Date(Date.now() + hourMs).toISOString()
  const unreadable = [
    '1',
    '2999',
    '2999-01-01',
    '2999-01-01T00:00',
    '2999-01-01T00:00:00',
    '2999-02-30T00:00:00Z',
    'tomorrow',
    '',
    '+12999-01-01T00:00:00Z',
  ]
  for (const text of unreadable) {
    const refused = await ask(text)
    expect([text, expectError(refused, 400, 'invalid_request')]).toEqual([
      text,
      {
        issues: [
          { path: 'expires_at', rule: 'date-time', message: 'expires_at must be a moment of RFC 3339 such as 2027-01-31T08:30:00Z' },
        ],
      },
    ])
  }
  for (const past of ['2001-01-01T00:00:00Z', new Date(Date.now() - 1_000).toISOString()])
    expect(expectError(await ask(past), 400, 'invalid_request')).toEqual({
      issues: [{ path: 'expires_at', rule: 'future', message: 'expires_at must be in the future' }],
    })
  const listed = await askOperator('gateway', 'GET', `/accounts/${accountId}/keys`)
  expect((listed.body as unknown as { data: unknown[] }).data).toHaveLength(1)
  for (const text of [soon, soon.replace('Z', '+00:00'), '2999-01-01t00:00:00.123456-07:00']) expect((await ask(text)).status).toBe(200)
})

test('a key bound to a model asks for no other, in estimate and creation, within 5 s at every gateway; a replay stays', async () => {
  const { accountId } = await openAccount({ credits: 1_000 })
  const key = await createKey(accountId)
  const clients = [settings.url, settings.secondUrl].map(url => createApi(key.api_key, url))
  const [api] = clients as [ReturnType<typeof createApi>]
  const [bought, idempotencyKey] = [smallRequest(), crypto.randomUUID()]
  await simulator.behave(bought.prompt, [{ name: 'instant' }])
  const first = (await api.generate(bought, { idempotencyKey })).body
  await bindKey(key.key_id, { models: ['alpha-h3', 'beta-2.5'] })
  for (const client of clients)
    await until('the key to be bound', async () => (await client.estimate(smallRequest())).status === 400, 15_000)
  for (const client of clients) {
    for (const refused of [await client.estimate(smallRequest()), await client.generate(smallRequest())])
      expect(expectError(refused, 400, 'invalid_request')).toEqual({
        issues: [{ path: 'model', rule: 'key_models', message: 'model must be alpha-h3 or beta-2.5: this API key is bound to that' }],
      })
    expect((await client.generate(bought, { idempotencyKey })).body.id).toBe(first.id)
  }
  expect((await api.estimate({ model: 'alpha-h3', prompt: 'a boat' })).status).toBe(200)
  expect(await api.credits()).toBe(1_000 - first.credits_used)
})

test('a key is bound to what there is, or not changed', async () => {
  const { accountId } = await openAccount()
  const key = await createKey(accountId, { models: ['alpha-h3'] })
  const change = (body: object) => askOperator('gateway', 'PATCH', `/keys/${key.key_id}`, body)
  for (const [body, paths] of [
    [{ models: ['alpha-h3', 'alpha-h4'] }, ['models[1]']],
    [{ addresses: ['192.0.2.1/24', 'localhost'] }, ['addresses[0]', 'addresses[1]']],
  ] as const) {
    const { issues } = expectError(await change(body), 400, 'invalid_request') as { issues: { path: string }[] }
    expect(issues.map(({ path }) => path)).toEqual([...paths])
  }
  for (const body of [{ models: [] }, { name: 'x' }, { addresses: 'x' }]) expectError(await change(body), 400, 'invalid_request')
  const { limits } = JSON.parse((await createApi(key.api_key).get('/keys/self')).text)
  expect([limits.models, limits.addresses]).toEqual([['alpha-h3'], null])
})
