import { afterAll, beforeAll, expect, test } from 'bun:test'
import { consoleApi } from './testing/console-api'

let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi()
})
afterAll(() => api.close())

test('a key is shown whole once, then by its beginning, with who made it', async () => {
  const id = await api.open()
  const made = await api.ask('POST', `/accounts/${id}/keys`, {
    body: { name: 'mine', expires_at: '2099-01-01T00:00:00Z' },
    operator: 'Åda',
  })
  const { key_id: key, api_key: whole } = made.body as { key_id: string; api_key: string }
  expect({ status: made.status, whole }).toEqual({ status: 200, whole: expect.stringMatching(/^sk_live_\w{61}$/) })
  const rotated = await api.ask('POST', `/accounts/${id}/keys/${key}/rotate`)
  expect(rotated.status).toBe(200)
  expect(rotated.body.api_key).not.toBe(whole)
  const listed = await api.ask('GET', `/accounts/${id}/keys`)
  expect(listed.body.data).toEqual([
    {
      key_id: key,
      name: 'mine',
      prefix: `sk_live_${key}`,
      created_at: expect.any(String),
      created_by: 'Åda',
      last_used_at: null,
      expires_at: '2099-01-01T00:00:00.000Z',
      revoked_at: null,
      rotated_at: expect.any(String),
      models: null,
      addresses: null,
    },
  ])
  expect(listed.text).not.toContain(String(rotated.body.api_key))
})

test('the key of another account is nobody’s', async () => {
  const [mine, other] = [await api.open(), await api.open()]
  const key = (await api.ask('POST', `/accounts/${other}/keys`, { body: { name: 'theirs' } })).body.key_id as string
  const notFound = { status: 404, body: { error: { code: 'key_not_found' } } }
  expect(await api.ask('DELETE', `/accounts/${mine}/keys/${key}`)).toMatchObject(notFound)
  expect(await api.ask('POST', `/accounts/${mine}/keys/${key}/rotate`)).toMatchObject(notFound)
  expect(await api.ask('PATCH', `/accounts/${mine}/keys/${key}`, { body: { addresses: ['192.0.2.1'] } })).toMatchObject(notFound)
  expect((await api.ask('GET', `/accounts/${mine}/keys`)).body.data).toEqual([])
  expect((await api.ask('GET', `/accounts/${other}/keys`)).body.data).toMatchObject([
    { key_id: key, revoked_at: null, rotated_at: null, addresses: null },
  ])
  expect(await api.ask('DELETE', `/accounts/${other}/keys/${key}`)).toMatchObject({ status: 200, body: { key_id: key, revoked: true } })
})

test('all that work are listed, and of those that ended the latest fifty', async () => {
  const id = await api.open()
  const insert = (name: string, ended: string | null) => api.sql`
    insert into api_key (id, account_id, name, secret_hash, created_at, revoked_at)
    values (${`k${crypto.randomUUID().replaceAll('-', '').slice(0, 15)}`}, ${id}, ${name}, ${Buffer.from(crypto.randomUUID())}, '2026-01-01', ${ended})`
  for (let day = 1; day <= 55; day++) await insert(`ended ${day}`, new Date(Date.UTC(2026, 1, day)).toISOString())
  await insert('works', null)
  const { body } = await api.ask('GET', `/accounts/${id}/keys`)
  const names = (body.data as { name: string }[]).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['works', ...Array.from({ length: 50 }, (_, index) => `ended ${index + 6}`)].toSorted())
})
