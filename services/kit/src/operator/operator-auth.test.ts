import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { renderError } from '../http/render-error'
import { readJsonAs, takes } from '../request/read-json'
import { requestReasons } from '../request/reasons'
import { words } from '../request/text'
import { testLog, until } from '../testing'
import { testOperators } from '../testing/test-operators'
import { listRoutes } from './list-routes'
import { logOperatorCalls } from './log-operator-calls'
import { needsRole } from './needs-role'
import { operatorAuth } from './operator-auth'
import { operatorName } from './operator-name'

const token = 'a-token-of-the-test-operators'
const operators = testOperators({
  [token]: {},
  reader: { name: 'rita', role: 'read', actsForOthers: false },
  supporter: { name: 'sam', role: 'support', actsForOthers: false },
  console: { name: 'console', role: 'money', actsForOthers: true },
})
const Named = Type.Object({ name: words(20) }, { additionalProperties: false })
const wrong: string[] = []
const logged: Record<string, unknown>[] = []
const app = new Elysia({ normalize: false })
  .use(renderError(testLog, requestReasons))
  .use(logOperatorCalls({ info: (fields: object) => void logged.push(fields as never) } as never))
  .use(
    new Elysia({ prefix: '/operator' })
      .use(operatorAuth(operators, request => void wrong.push(request.url)))
      .get('/things/:id', ({ params }) => params)
      .post('/things/:id', async ({ request }) => readJsonAs(Named, request), needsRole('support', Named))
      .delete('/things/:id', ({ request }) => ({ by: operatorName(request) }), needsRole('money')),
  )
app.use(listRoutes(app, operators))

type ApiCall = { body?: unknown; bearer?: string; as?: string }

async function ask(method: string, path: string, { body, bearer = token, as }: ApiCall = {}) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...(as && { 'x-filmgate-operator': as }) }
  const answer = await app.handle(
    new Request(`http://service.example/operator${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }),
  )
  const { error, ...rest } = (await answer.json()) as { error?: { code: string; details?: { issues?: { path: string }[] } } }
  return error ? [answer.status, error.code, ...(error.details?.issues ?? []).map(({ path }) => path)] : [answer.status, rest]
}

test('a wrong token is refused before all else, and heard of', async () => {
  expect(await ask('GET', '/things/%00', { bearer: 'wrong' })).toEqual([401, 'operator_token_required'])
  expect(wrong).toEqual(['http://service.example/operator/things/%00'])
  const words = async (headers: Record<string, string>) => {
    const answer = await app.handle(new Request('http://service.example/operator/things/a', { headers }))
    return ((await answer.json()) as { error: { message: string } }).error.message
  }
  expect(await words({ authorization: 'Bearer wrong' })).toBe('This operator token is not valid.')
  expect(await words({})).toBe('Send the operator token as a bearer token.')
})
test('a role does what it may and what lower ones may; more is refused before the body is read, and logged with whose token it was', async () => {
  expect(await ask('GET', '/things/a', { bearer: 'reader' })).toEqual([200, { id: 'a' }])
  expect(await ask('POST', '/things/a', { bearer: 'supporter', body: { name: 'x' } })).toEqual([200, { name: 'x' }])
  expect(await ask('DELETE', '/things/a', { bearer: 'console', as: 'ana' })).toEqual([200, { by: 'ana' }])
  expect(await ask('POST', '/things/a', { bearer: 'reader', body: 'no such body' })).toEqual([403, 'operator_role_insufficient'])
  expect(await ask('DELETE', '/things/a', { bearer: 'supporter' })).toEqual([403, 'operator_role_insufficient'])
  const path = '/operator/things/a'
  await until('the line', () => logged.some(({ method, status }) => method === 'DELETE' && status === 403))
  expect(logged).toContainEqual({ operator: 'sam', token: 'sam', role: 'support', method: 'DELETE', path, status: 403 })
})
test('the name of another is refused beside a token of a person, even where something is only read, and logged', async () => {
  expect(await ask('GET', '/things/a', { bearer: 'reader', as: 'sam' })).toEqual([403, 'operator_mismatch'])
  await until('the line', () => logged.some(({ method }) => method === 'GET'))
  const path = '/operator/things/a'
  expect(logged).toContainEqual({ operator: 'sam', token: 'rita', role: 'read', method: 'GET', path, status: 403 })
  expect(await ask('GET', '/things/a', { bearer: 'reader', as: 'rita' })).toEqual([200, { id: 'a' }])
})
test('whoever asks is told whose token it is', async () => {
  expect(await ask('GET', '/me', { bearer: 'reader' })).toEqual([200, { name: 'rita', role: 'read', acts_for_others: false }])
  expect(await ask('GET', '/me')).toEqual([200, { name: null, role: 'money', acts_for_others: true }])
  expect(await ask('GET', '/operators', { bearer: 'reader' })).toMatchObject([
    200,
    {
      data: [{ name: null }, { name: 'rita', role: 'read' }, { name: 'sam', role: 'support' }, { name: 'console', acts_for_others: true }],
    },
  ])
})
test('a service with an operators’ route that names no role does not start', () => {
  const careless = new Elysia({ prefix: '/operator' }).use(operatorAuth(operators)).post('/things', () => 'done', takes(Named))
  expect(() => listRoutes(careless, operators)).toThrow('POST /operator/things names no role')
})
test('an id in a path is printable ASCII; what else it holds is refused by its name', async () => {
  expect(await ask('GET', '/things/vt_1:paid')).toEqual([200, { id: 'vt_1:paid' }])
  for (const id of ['%00', 'a%00b', '%20', '%E2%80%8F', '%7f', 'a'.repeat(201), '%zz'])
    expect({ id, answer: await ask('GET', `/things/${id}`) }).toEqual({ id, answer: [400, 'invalid_request', 'id'] })
})
test('words of operators have no control characters, and may be of any script', async () => {
  expect(await ask('POST', '/things/a', { body: { name: 'שלום \u200f 🎬' } })).toEqual([200, { name: 'שלום \u200f 🎬' }])
  for (const name of ['a\0', '\ud800', 'a\nb', '\u001b[2J', '\u009b2J', 'a\u007f', '', 'x'.repeat(21)])
    expect({ name, answer: await ask('POST', '/things/a', { body: { name } }) }).toEqual({ name, answer: [400, 'invalid_request', 'name'] })
})
test('a service lists its routes with the role that each needs and what their bodies must be', async () => {
  const path = '/operator/things/:id'
  expect(await ask('GET', '/routes')).toEqual([
    200,
    {
      data: [
        { method: 'GET', path, role: 'read', body: null },
        { method: 'POST', path, role: 'support', body: JSON.parse(JSON.stringify(Named)) },
        { method: 'DELETE', path, role: 'money', body: null },
        { method: 'GET', path: '/operator/routes', role: 'read', body: null },
        { method: 'GET', path: '/operator/me', role: 'read', body: null },
        { method: 'GET', path: '/operator/operators', role: 'read', body: null },
      ],
    },
  ])
})
