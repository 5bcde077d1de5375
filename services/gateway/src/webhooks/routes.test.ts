import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { renderError } from '@filmgate/kit/http/render-error'
import { Elysia } from 'elysia'
import { consoleApi } from '../console/testing/console-api'
import { reasons, wordsFor } from '../errors'
import { createCallWebhooks } from './call-webhooks'
import { webhookEndpoints } from './routes'

const token = 'the-token-of-the-webhooks-service'
type Call = { method: string; path: string; authorization: string | null; body: unknown }
let calls: Call[] = []
let answer: () => Response | Promise<Response> = () => Response.json({})

/** Stands in for the webhooks service. */
const service = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const text = await request.text()
    calls.push({
      ...{ method: request.method, path: pathname + search, authorization: request.headers.get('authorization') },
      body: text === '' ? undefined : JSON.parse(text),
    })
    return answer()
  },
})
const url = `http://127.0.0.1:${service.port}`

let consoleSide: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  consoleSide = await consoleApi({ callWebhooks: createCallWebhooks({ url, token }) })
})
beforeEach(() => {
  calls = []
  answer = () => Response.json({ id: 'whe_1' })
})
afterAll(async () => {
  await service.stop(true)
  await consoleSide.close()
})

const api = (callWebhooks = createCallWebhooks({ url, token })) =>
  new Elysia({ normalize: false }).use(renderError({ error: () => {} }, reasons, { wordsFor })).use(
    new Elysia({ prefix: '/api/v1', normalize: false }).use(
      webhookEndpoints({
        callWebhooks,
        rateLimit: 30,
        addressRateLimit: 30,
        takeAddressToken: () => ({ taken: true, left: 1, waitMs: 0 }),
        giveAddressTokenBack: () => {},
        takeToken: async keyId => ({ taken: keyId !== 'spent', left: 29, waitMs: 1_000 }),
        clientAddress: () => '192.0.2.1',
        findCaller: async key => (key === 'none' ? undefined : { accountId: 'acct_own', keyId: key }),
      }),
    ),
  )

async function ask(method: string, path: string, body?: unknown, { key = 'k', app = api() } = {}) {
  const response = await app.handle(
    new Request(`http://gateway/api/v1/webhook-endpoints${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

const hook = { url: 'https://example.com/a', events: ['task.completed'], description: '' }
const routes: [method: string, path: string, body: unknown, asked: string][] = [
  ['GET', '', undefined, ''],
  ['POST', '', hook, ''],
  ['GET', '/whe_1', undefined, '/whe_1'],
  ['PATCH', '/whe_1', { description: 'b' }, '/whe_1'],
  ['DELETE', '/whe_1', undefined, '/whe_1'],
  ['POST', '/whe_1/rotate', undefined, '/whe_1/rotate'],
  ['POST', '/whe_1/test', undefined, '/whe_1/test'],
  ['POST', '/whe_1/resume', undefined, '/whe_1/resume'],
  ['GET', '/whe_1/deliveries?status=failed&cursor=Nw&limit=5', undefined, '/whe_1/deliveries?status=failed&cursor=Nw&limit=5'],
  ['POST', '/whe_1/replay', { delivery_id: 'msg_1' }, '/whe_1/replay'],
]

test.each(routes)('%s %s asks the service about the own account, by the API and by the console', async (method, path, body, asked) => {
  answer = () => (method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json({ id: 'whe_1' }, { status: 202 }))
  const answered = { status: method === 'DELETE' ? 204 : 202, body: method === 'DELETE' ? undefined : { id: 'whe_1' } }
  expect(await ask(method, path, body)).toMatchObject(answered)
  const call = (account: string) => ({ method, path: `/accounts/${account}/endpoints${asked}`, authorization: `Bearer ${token}`, body })
  expect(calls).toEqual([call('acct_own')])
  const id = await consoleSide.open()
  expect(await consoleSide.ask(method, `/accounts/${id}/webhook-endpoints${path}`, { body })).toMatchObject({ status: answered.status })
  expect(calls.at(-1)).toEqual(call(id))
})

test('without a key, or beyond its limit, the service is not asked', async () => {
  for (const [method, path, body] of routes) {
    expect(await ask(method, path, body, { key: 'none' })).toMatchObject({ status: 401 })
    expect(await ask(method, path, body, { key: 'spent' })).toMatchObject({ status: 429, retryAfter: '1' })
  }
  expect(calls).toEqual([])
})

test.each([
  ['POST', '', {}],
  ['POST', '', { ...hook, secret: 'x' }],
  ['POST', '', { ...hook, url: '' }],
  ['POST', '', { ...hook, url: 'x'.repeat(2_049) }],
  ['POST', '', { ...hook, events: [] }],
  ['POST', '', { ...hook, events: ['task.started'] }],
  ['POST', '', { ...hook, description: 'a\u0007b' }],
  ['POST', '', '{"url":1'],
  ['PATCH', '/whe_1', { status: 'active' }],
  ['POST', '/whe_1/replay', { delivery_id: '../x' }],
  ['GET', '/whe_1/deliveries?status=lost', undefined],
  ['GET', '/whe_1/deliveries?limit=101', undefined],
  ['GET', '/whe_1/deliveries?account=acct_2', undefined],
])('%s %s of %j is refused before the service is asked', async (method, path, body) => {
  const { status, body: refusal } = await ask(method, path, body)
  expect([status, calls]).toEqual([400, []])
  expect(refusal.error.message).not.toContain('model')
})

test('an id that can be none is answered byte for byte as one that the service does not know', async () => {
  answer = () => Response.json({ error: { code: 'not_found', message: 'words of the service' } }, { status: 404 })
  const unknown = await ask('GET', '/whe_1')
  expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found', message: 'No such webhook endpoint or delivery.' } } })
  for (const path of ['/a.b', '/a%2Fb', '/%2e%2e%2f%2e%2e', `/${'a'.repeat(121)}`]) expect(await ask('GET', path)).toEqual(unknown)
  expect(calls).toHaveLength(1)
})

test('of a refusal only code and issues are believed', async () => {
  const issues = [{ path: 'url', rule: 'public_address', message: 'url names no public host', more: 'x' }]
  answer = () => Response.json({ error: { code: 'invalid_request', message: 'm', details: { issues, secret: 's' } } }, { status: 400 })
  expect((await ask('POST', '', hook)).body).toEqual({
    error: {
      code: 'invalid_request',
      message: 'The request has a fault. See details.issues.',
      details: { issues: [{ path: 'url', rule: 'public_address', message: 'url names no public host' }] },
    },
  })
  answer = () => Response.json({ error: { code: 'endpoint_limit', message: 'm', details: { limit: 20 } } }, { status: 409 })
  expect(await ask('POST', '', hook)).toMatchObject({ status: 409, body: { error: { code: 'endpoint_limit' } } })
})

test.each([
  ['/replay', { delivery_id: 'msg_1' }, 'replay_running', '5'],
  ['/test', undefined, 'test_limit', '60'],
])('POST …%s with %j, refused as %s, is 429 with Retry-After %s', async (part, body, code, retryAfter) => {
  answer = () => Response.json({ error: { code, message: 'words of the service' } }, { status: 429, headers: { 'retry-after': '900' } })
  expect(await ask('POST', `/whe_1${part}`, body)).toMatchObject({
    ...{ status: 429, retryAfter },
    body: { error: { code: 'rate_limited', message: reasons.rate_limited[1] } },
  })
})

test.each([
  ['a refusal of another kind', () => Response.json({ error: { code: 'token_required', message: 'wrong token' } }, { status: 401 })],
  ['a text', () => new Response('upstream connect error', { status: 502 })],
  ['a success without JSON', () => new Response('ok')],
  ['a redirect', () => Response.redirect('http://169.254.169.254/', 302)],
])('%s is 503, and nothing of it is passed on', async (_, answered) => {
  answer = answered
  const refused = await ask('GET', '')
  expect([refused.status, refused.retryAfter]).toEqual([503, '5'])
  expect(refused.body).toEqual({ error: { code: 'service_unavailable', message: reasons.service_unavailable[1] } })
})

test('a service that is not there, or not configured, is 503 with Retry-After', async () => {
  for (const callWebhooks of [
    createCallWebhooks({ url: 'http://127.0.0.1:1', token }),
    createCallWebhooks({ url: undefined, token: undefined }),
  ])
    expect(await ask('GET', '', undefined, { app: api(callWebhooks) })).toMatchObject({ status: 503, retryAfter: '5' })
})

test('a service that says nothing is 503 after 5 s', async () => {
  answer = () => new Promise(() => {})
  const startedAt = performance.now()
  expect(await ask('GET', '')).toMatchObject({ status: 503 })
  expect(performance.now() - startedAt).toBeLessThan(7_000)
}, 10_000)

test('pauses are asked for the console, whatever the account; without the service there are none, and it is not asked', async () => {
  const notice = crypto.randomUUID()
  answer = () => Response.json({ data: [{ id: notice }] })
  const withService = await consoleApi({ callWebhooks: createCallWebhooks({ url, token }), webhooksOn: true })
  expect(await withService.ask('POST', '/webhook-pauses', { body: { taken: [notice] } })).toMatchObject({
    ...{ status: 200, body: { data: [{ id: notice }] } },
  })
  const call = { method: 'POST', path: '/pauses', authorization: `Bearer ${token}`, body: { taken: [notice] } }
  expect(calls).toEqual([call])
  expect((await withService.ask('POST', '/webhook-pauses', { body: { taken: ['x'] } })).status).toBe(400)
  expect((await withService.ask('POST', '/webhook-pauses', { body: { taken: [] }, token: 'another-token-of-24-characters' })).status).toBe(
    401,
  )
  expect(await consoleSide.ask('POST', '/webhook-pauses', { body: { taken: [] } })).toMatchObject({ status: 200, body: { data: [] } })
  expect(calls).toEqual([call])
  await withService.close()
})
