import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { renderError } from '../http/render-error'
import { readJsonAs, takes } from '../request/read-json'
import { requestReasons } from '../request/reasons'
import { words } from '../request/text'
import { testLog } from '../testing'
import { listRoutes } from './list-routes'
import { operatorDoor } from './operator-door'

const token = 'a-token-of-the-test-operators'
const Named = Type.Object({ name: words(20) }, { additionalProperties: false })
const wrong: string[] = []
const app = new Elysia({ normalize: false }).use(renderError(testLog, requestReasons)).use(
  new Elysia({ prefix: '/operator' })
    .use(operatorDoor(token, request => void wrong.push(request.url)))
    .get('/things/:id', ({ params }) => params)
    .post('/things/:id', async ({ request }) => readJsonAs(Named, request), takes(Named)),
)
app.use(listRoutes(() => app, token))

async function ask(method: string, path: string, body?: unknown, bearer = token) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const answer = await app.handle(
    new Request(`http://service.example/operator${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }),
  )
  const { error, ...rest } = (await answer.json()) as { error?: { code: string; details?: { issues: { path: string }[] } } }
  return error ? [answer.status, error.code, ...(error.details?.issues ?? []).map(({ path }) => path)] : [answer.status, rest]
}

test('a wrong token is refused before all else, and heard of', async () => {
  expect(await ask('GET', '/things/%00', undefined, 'wrong')).toEqual([401, 'operator_token_required'])
  expect(wrong).toEqual(['http://service.example/operator/things/%00'])
})
test('an id in a path is printable ASCII; what else it holds is refused by its name', async () => {
  expect(await ask('GET', '/things/vt_1:paid')).toEqual([200, { id: 'vt_1:paid' }])
  for (const id of ['%00', 'a%00b', '%20', '%E2%80%8F', '%7f', 'a'.repeat(201), '%zz'])
    expect({ id, answer: await ask('GET', `/things/${id}`) }).toEqual({ id, answer: [400, 'invalid_request', 'id'] })
})
test('words of operators have no control characters, and may be of any script', async () => {
  expect(await ask('POST', '/things/a', { name: 'שלום \u200f 🎬' })).toEqual([200, { name: 'שלום \u200f 🎬' }])
  for (const name of ['a\0', '\ud800', 'a\nb', '\u001b[2J', '\u009b2J', 'a\u007f', '', 'x'.repeat(21)])
    expect({ name, answer: await ask('POST', '/things/a', { name }) }).toEqual({ name, answer: [400, 'invalid_request', 'name'] })
})
test('a service lists its routes with what their bodies must be', async () => {
  expect(await ask('GET', '/routes')).toEqual([
    200,
    {
      data: [
        { method: 'GET', path: '/operator/things/:id', body: null },
        { method: 'POST', path: '/operator/things/:id', body: JSON.parse(JSON.stringify(Named)) },
        { method: 'GET', path: '/operator/routes', body: null },
      ],
    },
  ])
})
