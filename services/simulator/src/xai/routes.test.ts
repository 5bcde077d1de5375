import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

async function xai(method: 'GET' | 'POST', path: string, body?: unknown, authorization = `Bearer ${testKey}`) {
  const answer = await fetch(`${simulator.origin}/xai/v1/${path}`, {
    ...{ method, headers: { authorization, 'content-type': 'application/json' } },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as any }
}

const newBody = (changes: object = {}) => ({
  ...{ model: 'grok-imagine-video-1.5', prompt: `words ${crypto.randomUUID()}`, duration: 2, aspect_ratio: '16:9', resolution: '480p' },
  ...changes,
})

/** Submits a request that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], changes: object = {}) {
  const body = newBody(changes)
  await simulator.post('/admin/behaviours', { match: { prompt_includes: body.prompt }, behaviours })
  return xai('POST', 'videos/generations', body)
}

const ask = (id: string) => xai('GET', `videos/${id}`)

async function ended(id: string) {
  for (;;) {
    const answer = await ask(id)
    if (answer.status !== 202) return answer
    await Bun.sleep(20)
  }
}

const codeOf = async (changes: object) => {
  const { status, body } = await xai('POST', 'videos/generations', newBody(changes))
  return [status, body.code ?? body.error.code]
}

test('a submit is answered with an id and nothing else, and ends as a video with its cost', async () => {
  const { status, body } = await submit([{ name: 'instant' }])
  expect([status, Object.keys(body)]).toEqual([200, ['request_id']])
  const end = await ended(body.request_id)
  expect(end).toEqual({
    status: 200,
    body: {
      ...{ status: 'done', model: 'grok-imagine-video-1.5', progress: 100, usage: { cost_in_usd_ticks: 1_600_000_000 } },
      video: { url: `${simulator.origin}/outputs/${body.request_id}.mp4`, duration: 2, respect_moderation: true },
    },
  })
  expect((await fetch(end.body.video.url)).status).toBe(200)
})

test('one in progress is 202, and so says it all', async () => {
  const { body } = await submit([{ name: 'never_finishes' }])
  expect((await ask(body.request_id)).status).toBe(202)
})

test('an id that nobody was told, and one of another format, is 404', async () => {
  const client_task_id = crypto.randomUUID()
  const request = { client_task_id, model: 'm', mode: 'text-to-video' as const, prompt: `words ${client_task_id}`, duration_seconds: 3 }
  await simulator.post('/admin/behaviours', { match: { client_task_id }, behaviours: [{ name: 'never_finishes' }] })
  const other = await simulator.submit({ ...request, resolution: '720p', aspect_ratio: '16:9' })
  for (const id of [crypto.randomUUID(), other.body.id]) expect(await ask(id)).toMatchObject({ status: 404, body: { code: 'not-found' } })
})

/** Requests as the examples of docs.x.ai/developers/model-capabilities/video and of xai-org/xai-sdk-ts have them, in words of our own. */
test.each([
  { model: 'grok-imagine-video', duration: 10, resolution: '720p' },
  { duration: 8, resolution: '1080p', user: 'somebody' },
  { generate_audio: false },
  { duration: undefined, aspect_ratio: undefined, resolution: undefined },
  { prompt: '', image: { url: 'https://example.com/photo.jpg' } },
  { duration: 15, reference_images: [{ url: 'https://example.com/shirt.png' }, { url: 'https://example.com/model.png' }] },
])('a request as xAI’s pages and clients have them is taken: %o', async changes => {
  expect((await submit([{ name: 'never_finishes' }], changes)).status).toBe(200)
})

test('no key, and another scheme, is 401; another key is 400', async () => {
  for (const authorization of [`Key ${testKey}`, `bearer ${testKey}`, testKey, ''])
    expect((await xai('POST', 'videos/generations', newBody(), authorization)).status).toBe(401)
  for (const [method, path] of [
    ['POST', 'videos/generations'],
    ['GET', `videos/${crypto.randomUUID()}`],
    ['GET', 'api-key'],
  ] as const) {
    const { status, body } = await xai(method, path, method === 'POST' ? newBody() : undefined, 'Bearer another')
    expect([status, body.code]).toEqual([400, 'Client specified an invalid argument'])
  }
  expect(await xai('GET', 'api-key')).toMatchObject({ status: 200, body: { api_key_blocked: false, team_blocked: false } })
})

test('what the model doesn’t take is refused', async () => {
  const argument = [400, 'Client specified an invalid argument']
  const form = [422, 'invalid_request']
  const image = { url: 'https://example.com/a.jpg' }
  for (const changes of [
    ...[{ mood: 'calm' }, { duration: '8' }, { duration: 1.5 }, { aspect_ratio: '21:9' }, { aspect_ratio: 'auto' }, { resolution: '768p' }],
    ...[{ image: image.url }, { image: { ...image, detail: 'high' } }, { reference_images: [image.url] }, { reference_images: [] }],
    ...[{ seed: 7 }, { model: undefined }],
  ])
    expect([changes, await codeOf(changes)]).toEqual([changes, form])
  for (const changes of [
    ...[{ prompt: '' }, { prompt: '灯'.repeat(1_400) }, { duration: 0 }, { duration: 16 }],
    ...[
      { model: 'grok-imagine-video', resolution: '1080p' },
      { image, reference_images: [image] },
    ],
    ...[{ reference_images: Array(8).fill(image) }, { reference_images: [image], resolution: '1080p' }],
    ...[{ model: 'grok-imagine-video', reference_images: [image], duration: 11 }],
  ])
    expect([changes, await codeOf(changes)]).toEqual([changes, argument])
  expect(await codeOf({ model: 'grok-imagine-video-9' })).toEqual([404, 'not-found'])
  for (const body of ['{', '[]', '7', 'words']) expect((await xai('POST', 'videos/generations', body)).status).toBe(422)
})

test('what fails after acceptance is told with 200: a failure by its code, a withheld video by its flag and no address', async () => {
  const failed = await submit([{ name: 'fails_after_accept' }])
  expect(await ended(failed.body.request_id)).toMatchObject({ status: 200, body: { status: 'failed', error: { code: 'internal_error' } } })
  const withheld = await submit([{ name: 'moderated' }])
  const { body } = await ended(withheld.body.request_id)
  expect(body).toMatchObject({ status: 'done', video: { url: '', respect_moderation: false } })
  const unread = await submit([], { image: { url: `${simulator.origin}/nothing.png` } })
  expect((await ended(unread.body.request_id)).body.error.code).toBe('invalid_argument')
})

test('a refusal has the status of its kind, and either form of an error', async () => {
  const refusedWith = async (code: string) => {
    const { status, body } = await submit([{ name: 'refuse', code: code as 'forbidden' }])
    return [status, typeof body.error === 'string' ? 'flat' : 'nested']
  }
  expect(await refusedWith('balance_exhausted')).toEqual([403, 'flat'])
  expect(await refusedWith('too_many_requests')).toEqual([429, 'nested'])
  expect(await refusedWith('invalid_request')).toEqual([400, 'flat'])
  expect((await submit([{ name: 'refuse_content' }])).body.error).toStartWith('Content violates usage guidelines.')
  expect((await submit([{ name: '500_before_accept' }])).status).toBe(500)
})

test('an id that was told falsely, and one that vanished, is 404', async () => {
  for (const name of ['wrong_id', 'vanishes'] as const) {
    const { body } = await submit([{ name }, { name: 'instant' }])
    expect((await ask(body.request_id)).status).toBe(404)
  }
})
