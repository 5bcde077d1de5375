import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createCallWebhooks } from '../../webhooks/call-webhooks'
import { openAiApi } from '../testing/openai-api'

type Call = { method: string; path: string; body: object; recorded: number }
let calls: Call[] = []
let answer: () => Response = () => new Response(null, { status: 204 })

/** Stands in for the webhooks service, and looks how many tasks the account has when it is asked. */
const service = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from task`
    calls.push({
      method: request.method,
      path: new URL(request.url).pathname,
      body: (await request.json()) as object,
      recorded: row?.count ?? 0,
    })
    return answer()
  },
})
let givenBack = 0
const webhooks = { url: `http://127.0.0.1:${service.port}`, token: 'the-token-of-the-webhooks-service' }
const api = await openAiApi({
  ...{ webhooksOn: true, callWebhooks: createCallWebhooks(webhooks) },
  giveOrderBack() {
    givenBack += 1
  },
})
const { ask, sql, accountId } = api
const off = await openAiApi()
afterAll(async () => {
  await api.close()
  await off.close()
  await service.stop(true)
})
beforeEach(async () => {
  calls = []
  givenBack = 0
  answer = () => new Response(null, { status: 204 })
  await sql`truncate task cascade`
})

const request = { model: 'test-1', prompt: 'a boat', seconds: '6' }
const callback = { callback_url: 'https://hooks.example.com/video', callback_secret: 'a secret of the client' }
const count = async () => (await sql`select from task`).count
const post = (more: object, headers = {}) => ask('POST', '/videos', { body: { ...request, ...more }, headers })
const pathOf = (id: string) => `/accounts/${accountId}/callbacks/${id}`

test('a callback is kept for its task before that is recorded, of JSON and of a form alike', async () => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...request, ...callback })) form.append(name, value)
  for (const body of [{ ...request, ...callback }, form]) {
    calls = []
    const recorded = await count()
    const { status, body: video } = await ask('POST', '/videos', { body })
    expect([status, await count()]).toEqual([200, recorded + 1])
    expect(calls).toEqual([{ method: 'PUT', path: pathOf(video.id), body: callback, recorded }])
  }
})

test('a retry keeps nothing, and another callback makes no other request: that of the first one stays', async () => {
  const own = { 'idempotency-key': 'mine' }
  const first = await post(callback, own)
  for (const more of [callback, { callback_url: 'https://another.example.com/' }, {}]) {
    const again = await post(more, own)
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([200, first.body.id, 'true'])
  }
  const [one, two] = [await post(callback), await post(callback, { 'x-stainless-retry-count': '1' })]
  expect(two.body.id).toBe(one.body.id)
  expect(calls.map(({ path }) => path)).toEqual([first, one].map(({ body }) => pathOf(body.id)))
})

test('of one request, five times at once, one callback is that of its task', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(callback, { 'idempotency-key': 'at-once' })))
  const [id, ...others] = new Set(answers.map(({ body }) => body.id))
  expect([others, await count()]).toEqual([[], 1])
  expect(calls.filter(({ path }) => path === pathOf(id))).toHaveLength(1)
})

test('what the webhooks service refuses is refused by name, and nothing is recorded', async () => {
  const issue = { path: 'callback_url', rule: 'public_address', message: 'callback_url names no public host: not a public address' }
  answer = () => Response.json({ error: { code: 'invalid_request', details: { issues: [issue] } } }, { status: 400 })
  const { status, body } = await post({ callback_url: 'https://10.0.0.1/' }, { 'idempotency-key': 'mended' })
  expect([status, body.error]).toMatchObject([400, { code: 'invalid_request', param: 'callback_url', message: issue.message }])
  expect([await count(), givenBack]).toEqual([0, 1])
  answer = () => new Response(null, { status: 204 })
  expect((await post(callback, { 'idempotency-key': 'mended' })).status).toBe(200)
})

test('while the webhooks service is away nothing is recorded, and a retry of what was is answered', async () => {
  const own = { 'idempotency-key': 'before' }
  const { body } = await post(callback, own)
  answer = () => new Response('', { status: 500 })
  const refused = await post(callback)
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '5'])
  expect([(await post(callback, own)).body.id, await count()]).toEqual([body.id, 1])
})

test('a webhooks service without callbacks is as one that is away', async () => {
  answer = () => Response.json({ error: { code: 'not_found', message: 'No such route.' } }, { status: 404 })
  const { status, body } = await post(callback)
  expect([status, body.error.code, await count()]).toEqual([503, 'service_unavailable', 0])
})

test('an oversized field is refused and not sent on', async () => {
  const { status, body } = await post({ ...callback, callback_secret: 'x'.repeat(5_000) })
  expect([status, body.error.param, calls]).toEqual([400, 'callback_secret', []])
})

test('nothing is asked without a callback, or for a request that is refused', async () => {
  expect((await post({ callback_url: null, callback_secret: null })).status).toBe(200)
  expect((await post({ ...callback, seconds: '60' })).status).toBe(400)
  expect(calls).toEqual([])
})

test('without webhooks a callback is refused with what to do', async () => {
  const { status, body } = await off.ask('POST', '/videos', { body: { ...request, ...callback } })
  const message =
    'callback_url is not taken: webhooks are off here. Leave it out and read the video, or ask the operator to turn webhooks on'
  expect([status, body.error]).toMatchObject([400, { code: 'invalid_request', param: 'callback_url', message }])
  expect((await off.sql`select from task`).count).toBe(0)
})
