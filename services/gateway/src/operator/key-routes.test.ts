import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderError } from '@filmgate/kit/http/render-error'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { Elysia } from 'elysia'
import { createFindBalance } from '../balances/find-balance'
import { testCard, testCatalog } from '../catalog/testing/cards'
import { reasons } from '../errors'
import { accountRoutes } from './account-routes'
import { keyRoutes } from './key-routes'

const operators = testOperators({
  reader: { name: 'rita', role: 'read' },
  supporter: { name: 'sam', role: 'support' },
  payer: { name: 'mona', role: 'money' },
})

type Body = { account_id?: string; api_key?: string; key_id?: string; keys?: object[]; data?: object[]; error?: { code: string } }

async function gateway() {
  const database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const { sql } = database
  const outbox = createOutbox({ sql, bus: { publish: async () => {} }, log: testLog })
  const deps = {
    sql,
    outbox,
    topicPrefix: 'test',
    pepper: 'p'.repeat(32),
    keyOverlapSeconds: 60,
    now: () => new Date(),
    currentCatalog: () => testCatalog(testCard()),
  }
  const app = new Elysia({ prefix: '/operator', normalize: false })
    .use(renderError(testLog, reasons))
    .use(operatorAuth(operators))
    .use(accountRoutes({ ...deps, findBalance: createFindBalance(sql) }))
    .use(keyRoutes(deps))
  return {
    async call(method: string, path: string, { body, bearer = 'payer' }: { body?: object; bearer?: string } = {}) {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const answer = await app.handle(
        new Request(`http://gateway/operator${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
      )
      return { status: answer.status, body: (await answer.json()) as Body }
    },
    async close() {
      await outbox.stop()
      await database.drop()
    },
  }
}

let under: Awaited<ReturnType<typeof gateway>>
beforeAll(async () => {
  under = await gateway()
})
afterAll(() => under?.close())

test('limits of an account are set by money, each alone, taken back by null, and kept with who set them and why', async () => {
  const { body: opened } = await under.call('POST', '/accounts', { body: { name: 'Ada', credits: 0 } })
  const path = `/accounts/${opened.account_id}`
  const set = (body: object, bearer?: string) =>
    under.call('POST', `${path}/limits`, { body: { reason: 'a plan', ...body }, ...(bearer && { bearer }) })
  const limits = (requests_a_minute: number | null, unfinished_tasks_max: number | null) => ({
    status: 200,
    body: { account_id: opened.account_id, requests_a_minute, unfinished_tasks_max },
  })
  expect(await set({ requests_a_minute: 60 })).toEqual(limits(60, null) as never)
  expect(await set({ unfinished_tasks_max: 5 })).toEqual(limits(60, 5) as never)
  expect((await under.call('GET', path)).body).toMatchObject({
    account: { requests_a_minute: 60, unfinished_tasks_max: 5 },
    acts: [
      { act: 'limits_set', subject: 'requests 60, unfinished 5: a plan', by: 'mona' },
      { act: 'limits_set', subject: 'requests 60, unfinished default: a plan' },
      { act: 'account_opened' },
    ],
  })
  expect(await set({ requests_a_minute: null, unfinished_tasks_max: null })).toEqual(limits(null, null) as never)
  for (const requests_a_minute of [0, -1, 1.5, '60', 100_001]) expect((await set({ requests_a_minute })).status).toBe(400)
  expect((await under.call('POST', `${path}/limits`, { body: { requests_a_minute: 60 } })).status).toBe(400)
  expect((await set({ requests_a_minute: 60 }, 'supporter')).status).toBe(403)
  expect(await under.call('POST', '/accounts/acct_x/limits', { body: { reason: 'r' } })).toMatchObject({
    status: 404,
    body: { error: { code: 'account_not_found' } },
  })
})

test('keys are listed, and shown with their account, by their beginning and with who made them: the first one by who opened the account', async () => {
  const { body: opened } = await under.call('POST', '/accounts', { body: { name: 'Ada', credits: 0 } })
  const path = `/accounts/${opened.account_id}`
  const { body: made } = await under.call('POST', `${path}/keys`, { body: { name: 'second', expires_at: '2099-01-01T00:00:00Z' } })
  await under.call('POST', `/keys/${made.key_id}/rotate`)
  const row = { createdAt: expect.any(String), createdBy: 'mona', lastUsedAt: null, revokedAt: null, models: null, addresses: null }
  const first = String(opened.api_key).slice(0, 'sk_live_'.length + 12)
  const keys = [
    { ...row, id: first.replace('sk_live_', ''), prefix: first, name: 'first', expiresAt: null, rotatedAt: null },
    {
      ...row,
      ...{ id: made.key_id, prefix: `sk_live_${made.key_id}`, name: 'second' },
      ...{ expiresAt: '2099-01-01T00:00:00.000Z', rotatedAt: expect.any(String) },
    },
  ]
  expect((await under.call('GET', `${path}/keys`, { bearer: 'reader' })).body).toEqual({ data: keys })
  expect((await under.call('GET', path, { bearer: 'reader' })).body.keys).toEqual(keys)
})

test('a key is bound to models and addresses when it is made and later, each without the other, and by whom is kept', async () => {
  const { body: opened } = await under.call('POST', '/accounts', { body: { name: 'Ada', credits: 0 } })
  const path = `/accounts/${opened.account_id}`
  const bindings = { models: ['test-1'], addresses: ['192.0.2.0/24'] }
  const { body: made } = await under.call('POST', `${path}/keys`, { body: { name: 'bound', ...bindings } })
  const change = async (body: object) => (await under.call('PATCH', `/keys/${made.key_id}`, { body })).body as object
  expect(await change({})).toEqual({ key_id: made.key_id, ...bindings })
  expect(await change({ models: null })).toEqual({ key_id: made.key_id, models: null, addresses: ['192.0.2.0/24'] })
  expect(await change({ models: ['test-1'], addresses: null })).toEqual({ key_id: made.key_id, models: ['test-1'], addresses: null })
  await under.call('POST', `/keys/${made.key_id}/rotate`)
  const shown = (await under.call('GET', path)).body as { keys: object[]; acts: object[] }
  expect(shown.keys[1]).toMatchObject({ id: made.key_id, models: ['test-1'], addresses: null })
  expect(shown.acts).toContainEqual(expect.objectContaining({ act: 'key_updated', subject: made.key_id, by: 'mona' }))
})

test('each refusal has its status', async () => {
  const body = { name: 'n' }
  const refused = async (...asked: Parameters<typeof under.call>) => {
    const { status, body } = await under.call(...asked)
    return [status, body.error?.code]
  }
  expect(await refused('GET', '/accounts/acct_none/keys', { bearer: 'nobody' })).toEqual([401, 'operator_token_required'])
  expect(await refused('POST', '/accounts/acct_none/keys', { bearer: 'supporter', body })).toEqual([403, 'operator_role_insufficient'])
  expect(await refused('POST', '/keys/none/rotate', { bearer: 'supporter' })).toEqual([403, 'operator_role_insufficient'])
  expect(await refused('PATCH', '/keys/none', { bearer: 'supporter', body: { models: null } })).toEqual([403, 'operator_role_insufficient'])
  expect(await refused('PATCH', '/keys/none', { body: { models: null } })).toEqual([404, 'key_not_found'])
  expect(await refused('PATCH', '/keys/none', { body: { models: [] } })).toEqual([400, 'invalid_request'])
  expect(await refused('DELETE', '/keys/none', { bearer: 'reader' })).toEqual([403, 'operator_role_insufficient'])
  expect(await refused('GET', '/accounts/acct_none/keys')).toEqual([404, 'account_not_found'])
  expect(await refused('POST', '/accounts/acct_none/keys', { body })).toEqual([404, 'account_not_found'])
  expect(await refused('POST', '/keys/none/rotate')).toEqual([404, 'key_not_found'])
  for (const id of ['none', 'no_form']) expect(await refused('GET', `/keys/${id}`)).toEqual([404, 'key_not_found'])
  expect(await refused('DELETE', '/keys/none', { bearer: 'supporter' })).toEqual([404, 'key_not_found'])
})

test('keys that are not under the current pepper are counted, for every role', async () => {
  await under.call('POST', '/accounts', { body: { name: 'Ada', credits: 0 } })
  expect(await under.call('GET', '/secrets', { bearer: 'reader' })).toEqual({
    status: 200,
    body: { data: [{ secret: 'FILMGATE_KEY_PEPPER', left: 0 }] },
  })
  expect((await under.call('GET', '/secrets', { bearer: 'nobody' })).status).toBe(401)
})
