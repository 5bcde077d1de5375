import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const model = 'fal-ai/kling-video/v3/standard/text-to-video'
const app = 'fal-ai/kling-video'

async function fal(method: string, path: string, body?: unknown, authorization = `Key ${testKey}`) {
  const answer = await fetch(`${simulator.origin}/fal/${path}`, {
    method,
    headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any, headers: answer.headers }
}

/** Submits an input in words of its own that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], query = '') {
  const prompt = `words ${crypto.randomUUID()}`
  await simulator.post('/admin/behaviours', { match: { prompt_includes: prompt }, behaviours })
  return fal('POST', `${model}${query}`, { prompt, duration: '3' })
}

async function completed(id: string) {
  for (;;) {
    const { status, body } = await fal('GET', `${app}/requests/${id}/status`)
    if (body.status === 'COMPLETED') return { status, body }
    await Bun.sleep(20)
  }
}

const typesOf = ({ detail }: { detail: { type: string; loc: string[] }[] }) => detail.map(({ type, loc }) => [type, ...loc])

test('a submit is answered with the addresses of its app, and ends as a video', async () => {
  const { status, body } = await submit([{ name: 'instant' }])
  const base = `${simulator.origin}/fal/${app}/requests/${body.request_id}`
  expect([status, body]).toEqual([
    200,
    {
      ...{ status: 'IN_QUEUE', request_id: body.request_id, gateway_request_id: body.request_id, queue_position: 0 },
      ...{ response_url: base, status_url: `${base}/status`, cancel_url: `${base}/cancel` },
    },
  ])
  const end = await completed(body.request_id)
  expect(end).toMatchObject({ status: 200, body: { logs: [], metrics: { inference_time: 1.5 } } })
  expect(end.body.error).toBeUndefined()
  const result = await fal('GET', `${app}/requests/${body.request_id}`)
  expect(result).toMatchObject({ status: 200, body: { video: { content_type: 'video/mp4' } } })
  expect(result.headers.get('x-fal-request-id')).toBe(body.request_id)
  expect((await fetch(result.body.video.url)).status).toBe(200)
})

test('the same input twice is two generations: fal knows no id of the caller’s', async () => {
  const input = { prompt: `words ${crypto.randomUUID()}` }
  await simulator.post('/admin/behaviours', { match: { prompt_includes: input.prompt }, behaviours: [{ name: 'never_finishes' }] })
  const [first, second] = [await fal('POST', model, input), await fal('POST', model, input)]
  expect(first.body.request_id).not.toBe(second.body.request_id)
})

test('another scheme of authorization, another key and none are 401', async () => {
  for (const authorization of [`Bearer ${testKey}`, `key ${testKey}`, 'Key another', `Key ${testKey} `.padEnd(80, 'x'), ''])
    for (const [method, path, body] of [
      ['POST', model, { prompt: 'x' }],
      ['GET', `${app}/requests/x/status`, undefined],
      ['PUT', `${app}/requests/x/cancel`, undefined],
    ] as const)
      expect((await fal(method, path, body, authorization)).status).toBe(401)
})

test('an input with a fault is refused with every fault, and nothing is made', async () => {
  const faulty = await fal('POST', model, { promt: 'x', duration: 5, aspect_ratio: '2:1', generate_audio: 'no' })
  expect(faulty.status).toBe(422)
  expect(typesOf(faulty.body).toSorted()).toEqual([
    ['boolean_type', 'body', 'generate_audio'],
    ['enum', 'body', 'aspect_ratio'],
    ['extra_forbidden', 'body', 'promt'],
    ['string_type', 'body', 'duration'],
  ])
  expect(typesOf((await fal('POST', 'fal-ai/veo3.1/fast', {})).body)).toEqual([['missing', 'body', 'prompt']])
  const younger = await fal('POST', 'minimax/h3/text-to-video', { prompt: 'x', duration: 4.5 })
  expect(typesOf(younger.body)).toEqual([['integer_type', 'body', 'duration']])
  expect(typesOf((await fal('POST', 'minimax/h3/text-to-video', { prompt: 'x', duration: 4 })).body)).toEqual([
    ['greater_than_equal', 'body', 'duration'],
  ])
  for (const body of ['{', '[]', 'null', '"x"']) expect((await fal('POST', model, body)).status).toBe(422)
  expect((await fal('POST', `${model}?webhook=x`, { prompt: 'x' })).status).toBe(422)
  expect((await fal('POST', 'fal-ai/nothing', { prompt: 'x' })).status).toBe(404)
})

test('a request is known under its own app alone, and in this format alone', async () => {
  const { body } = await submit([{ name: 'never_finishes' }])
  const id = body.request_id
  expect((await fal('GET', `${app}/requests/${id}/status`)).status).toBe(202)
  for (const path of [`fal-ai/veo3.1/requests/${id}/status`, `${app}/requests/unknown/status`, `${model}/requests/${id}/status`])
    expect((await fal('GET', path)).status).toBe(404)
  const own = await simulator.post('/v1/generations', {
    ...{ client_task_id: crypto.randomUUID(), model: 'm', mode: 'text-to-video', prompt: 'x', duration_seconds: 1 },
    ...{ resolution: '360p', aspect_ratio: '16:9' },
  })
  expect((await fal('GET', `${app}/requests/${own.body.id}/status`)).status).toBe(404)
})

test('the result of one that runs is 400, and its cancellation is a request', async () => {
  const { body } = await submit([{ name: 'never_finishes' }])
  expect(await fal('GET', `${app}/requests/${body.request_id}`)).toMatchObject({
    status: 400,
    body: { detail: 'Request is still in progress' },
  })
  expect(await fal('PUT', `${app}/requests/${body.request_id}/cancel`)).toMatchObject({
    status: 202,
    body: { status: 'CANCELLATION_REQUESTED' },
  })
  const done = await submit([{ name: 'instant' }])
  await completed(done.body.request_id)
  expect(await fal('PUT', `${app}/requests/${done.body.request_id}/cancel`)).toMatchObject({
    status: 400,
    body: { status: 'ALREADY_COMPLETED' },
  })
})

test('a failure is COMPLETED: the queue’s own with words in the status, a model’s only in the result', async () => {
  const broken = await submit([{ name: 'fails_after_accept' }])
  expect((await completed(broken.body.request_id)).body).toMatchObject({ error: 'Internal error', error_type: 'internal_error' })
  expect(await fal('GET', `${app}/requests/${broken.body.request_id}`)).toMatchObject({
    status: 500,
    body: { error_type: 'internal_error' },
  })
  const moderated = await submit([{ name: 'moderated' }])
  expect((await completed(moderated.body.request_id)).body.error).toBeUndefined()
  const result = await fal('GET', `${app}/requests/${moderated.body.request_id}`)
  expect([result.status, ...typesOf(result.body)]).toEqual([422, ['content_policy_violation', 'body']])
})

test('an input that can’t be fetched fails as the model’s error', async () => {
  const { body } = await fal('POST', 'fal-ai/kling-video/v3/standard/image-to-video', {
    prompt: 'x',
    start_image_url: `${simulator.origin}/nothing.png`,
  })
  await completed(body.request_id)
  expect(typesOf((await fal('GET', `${app}/requests/${body.request_id}`)).body)).toEqual([['file_download_error', 'body', 'image_url']])
})

test('refusals are in fal’s words', async () => {
  for (const [code, status] of [
    ['invalid_request', 422],
    ['unauthorized', 401],
    ['balance_exhausted', 403],
    ['forbidden', 403],
    ['not_found', 404],
    ['content_rejected', 422],
    ['input_unreachable', 422],
    ['too_many_requests', 429],
    ['internal_error', 500],
  ] as const) {
    const answer = await submit([{ name: 'refuse', code }])
    expect([code, answer.status, 'error' in answer.body]).toEqual([code, status, false])
  }
})

test('a finished one calls back in fal’s format', async () => {
  const calls: { request_id: string; [field: string]: unknown }[] = []
  const listener = Bun.serve({
    port: 0,
    async fetch(request) {
      calls.push((await request.json()) as { request_id: string })
      return new Response(null, { status: 204 })
    },
  })
  const query = `?fal_webhook=${encodeURIComponent(`http://127.0.0.1:${listener.port}/hooks/fal/token`)}`
  const done = await submit([{ name: 'instant' }], query)
  const withheld = await submit([{ name: 'moderated', delay_ms: 50 }], query)
  while (calls.length < 2) await Bun.sleep(20)
  const [{ request_id: first }, { request_id: second }] = [done.body, withheld.body]
  const { body: payload } = await fal('GET', `${app}/requests/${first}`)
  const { body: withheldPayload } = await fal('GET', `${app}/requests/${second}`)
  // Which comes first is nobody’s promise.
  expect(calls.toSorted((a, b) => Number(b.request_id === first) - Number(a.request_id === first))).toEqual([
    { request_id: first, gateway_request_id: first, status: 'OK', payload },
    { request_id: second, gateway_request_id: second, status: 'ERROR', error: 'Invalid status code: 422', payload: withheldPayload },
  ])
  await listener.stop()
})

test('its callbacks are signed as fal’s page has it, unless a fault is asked for', async () => {
  const calls: { path: string; headers: Headers; body: Uint8Array }[] = []
  const listener = Bun.serve({
    port: 0,
    async fetch(request) {
      calls.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.bytes() })
      return new Response(null, { status: 204 })
    },
  })
  const { keys } = (await (await fetch(`${simulator.origin}/fal/.well-known/jwks.json`)).json()) as {
    keys: { kty: string; crv: string; x: string }[]
  }
  const [key] = keys
  expect(keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', x: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) }])
  const publicKey = await crypto.subtle.importKey('jwk', key ?? ({} as never), { name: 'Ed25519' }, false, ['verify'])
  const callback = async (...faults: RuleRequest['behaviours']) => {
    const path = `/hooks/fal/${crypto.randomUUID()}`
    const query = `?fal_webhook=${encodeURIComponent(`http://127.0.0.1:${listener.port}${path}`)}`
    const { body } = await submit([{ name: 'instant' }, ...faults], query)
    for (;;) {
      const call = calls.find(one => one.path === path)
      if (call) return { id: body.request_id, ...call }
      await Bun.sleep(20)
    }
  }
  const isSigned = async ({ headers, body }: { headers: Headers; body: Uint8Array }) => {
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>)).toString('hex')
    const [id, user, timestamp, signature] = ['request-id', 'user-id', 'timestamp', 'signature'].map(one =>
      headers.get(`x-fal-webhook-${one}`),
    )
    const message = Buffer.from(`${id}\n${user}\n${timestamp}\n${digest}`)
    return crypto.subtle.verify('Ed25519', publicKey, Buffer.from(signature ?? '', 'hex'), message)
  }
  const ageOf = ({ headers }: { headers: Headers }) => Date.now() / 1_000 - Number(headers.get('x-fal-webhook-timestamp'))
  const honest = await callback()
  expect([await isSigned(honest), honest.headers.get('x-fal-webhook-request-id')]).toEqual([true, honest.id])
  expect(Math.abs(ageOf(honest))).toBeLessThan(30)
  expect(await isSigned(await callback({ name: 'callback_signature', is: 'forged' }))).toBe(false)
  const stale = await callback({ name: 'callback_signature', is: 'stale' })
  expect([await isSigned(stale), ageOf(stale) > 300]).toEqual([true, true])
  const bare = await callback({ name: 'callback_signature', is: 'none' })
  expect([...bare.headers.keys()].filter(name => name.startsWith('x-fal'))).toEqual([])
  await listener.stop()
})

test('a result says what was charged for it: a unit a second, for what is withheld too, and nothing for a failure of fal’s own', async () => {
  const unitsOf = async (...behaviours: RuleRequest['behaviours']) => {
    const { body } = await submit(behaviours)
    await completed(body.request_id)
    return (await fal('GET', `${app}/requests/${body.request_id}`)).headers.get('x-fal-billable-units')
  }
  expect(await unitsOf({ name: 'instant' })).toBe('3')
  expect(await unitsOf({ name: 'moderated' })).toBe('3')
  expect(await unitsOf({ name: 'fails_after_accept' })).toBeNull()
  expect(await unitsOf({ name: 'instant' }, { name: 'cost_told', as: '3.008' })).toBe('3.008')
  expect(await unitsOf({ name: 'instant' }, { name: 'cost_told', as: null })).toBeNull()
})
