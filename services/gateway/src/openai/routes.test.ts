import { afterAll, expect, test } from 'bun:test'
import { baseUrl, openAiApi } from './testing/openai-api'

const api = await openAiApi()
const { ask, end, sql } = api
afterAll(api.close)

const request = { model: 'test-1', prompt: 'a boat', seconds: '6' }
const create = async (more: object = {}, headers = {}) => (await ask('POST', '/videos', { body: { ...request, ...more }, headers })).body
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])

const formOf = (fields: Record<string, string | Blob | string[]>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) data.append(name, each as string)
  return data
}

test('a video is made, and shown as OpenAI shows one', async () => {
  const { status, headers, body } = await ask('POST', '/videos', { body: { ...request, resolution: '1080p' } })
  expect(status).toBe(200)
  expect(headers.get('openai-poll-after-ms')).toBe('10000')
  expect(body).toEqual({
    id: expect.stringMatching(/^vt_/),
    ...{ object: 'video', status: 'in_progress', progress: 25, model: 'test-1', prompt: 'a boat', seconds: '6', size: null },
    ...{ created_at: expect.any(Number), completed_at: null, expires_at: null, remixed_from_video_id: null, error: null },
    ...{ credits_used: 7, credits_refunded: 0 },
  })
  expect((await ask('GET', `/videos/${body.id}`)).body).toEqual(body)
  await end(body.id)
  const { body: ended, headers: endedHeaders } = await ask('GET', `/videos/${body.id}`)
  expect(ended).toEqual({ ...body, status: 'completed', progress: 100, completed_at: expect.any(Number) })
  expect(endedHeaders.has('openai-poll-after-ms')).toBe(false)
})

test('a form is the same request: numbers, booleans and lists by the card', async () => {
  const written = await ask('POST', '/videos', { body: formOf({ ...request, generate_audio: 'true' }) })
  expect([written.status, written.body.seconds]).toEqual([200, '6'])
  const listed = formOf({
    model: 'test-1',
    prompt: 'a boat',
    mode: 'media-to-video',
    'reference_image_urls[]': ['https://media.example/a.png'],
  })
  expect((await ask('POST', '/videos', { body: listed })).status).toBe(200)
})

test('a file is put under its account, and is the same input when it is sent again', async () => {
  const send = (name: string, headers = {}) =>
    ask('POST', '/videos', { body: formOf({ ...request, input_reference: new File([png], name) }), headers })
  const first = await send('a.png')
  const [upload] = await sql<
    { key: string; bytes: number }[]
  >`select account_id || '/' || id || '.' || ending as key, bytes::int from upload`
  expect(await api.bucket.store.head(upload?.key ?? '')).toMatchObject({ bytes: png.length })
  expect(upload?.key).toStartWith(`${api.accountId}/`)
  expect((await send('b', { 'x-stainless-retry-count': '1' })).body.id).toBe(first.body.id)
  expect((await sql`select from upload`).count).toBe(1)
  const [task] = await sql`select mode from task where id = ${first.body.id}`
  expect(task?.mode).toBe('image-to-video')
})

test('a retry of the library gets the task of the request that it repeats; another request alike gets its own', async () => {
  const retry = { 'x-stainless-retry-count': '1' }
  const [one, two] = [await create({ prompt: 'alike' }), await create({ prompt: 'alike' })]
  expect(one.id).not.toBe(two.id)
  const again = await ask('POST', '/videos', { body: { ...request, prompt: 'alike' }, headers: retry })
  expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([two.id, 'true'])
  expect((await create({ prompt: 'alike' }, retry)).id).toBe(one.id)
  const own = { 'idempotency-key': 'mine' }
  expect((await create({ prompt: 'alike', metadata: { shot: '1' } }, own)).id).toBe((await create({ prompt: 'alike' }, own)).id)
})

test('metadata are the tags of a task', async () => {
  const { id } = await create({ metadata: { project: 'spring' } })
  const form = await ask('POST', '/videos', { body: formOf({ ...request, 'metadata[project]': 'spring' }) })
  expect(await sql`select tags from task where id in (${id}, ${form.body.id})`).toEqual([
    { tags: { project: 'spring' } },
    { tags: { project: 'spring' } },
  ] as never)
  const refused = await ask('POST', '/videos', { body: { ...request, metadata: 'spring' } })
  expect(refused.body.error).toMatchObject({ message: 'metadata must be an object, and is "spring"', param: 'metadata' })
})

test('headers say tags and a deadline, as they do for the native POST', async () => {
  const headers = { 'filmgate-tags': 'project=spring', 'filmgate-cancel-after': '90' }
  const { id } = await create({}, headers)
  expect([...(await sql`select tags, cancel_at - created_at = interval '90 seconds' as exact from task where id = ${id}`)]).toEqual([
    { tags: { project: 'spring' }, exact: true },
  ])
  const { body } = await ask('POST', '/videos', { body: request, headers: { 'filmgate-cancel-after': '86401' } })
  expect(body.error).toMatchObject({ code: 'invalid_request', param: 'Filmgate-Cancel-After' })
})

test.each([
  [{ seconds: '60' }, 'seconds must be from 4 to 10, and is 60', 'seconds', 'invalid_request'],
  [{ seconds: 'six' }, 'seconds must be a whole number, and is "six"', 'seconds', 'invalid_request'],
  [{ size: '1280x720' }, 'size must be 480p or 1080p in text-to-video of test-1, and is "1280x720"', 'size', 'invalid_request'],
  [{ size: '480p', resolution: '480p' }, 'size and resolution mean the same: send one of them', 'size', 'invalid_request'],
  [
    { input_reference: { image_url: 'http://x' } },
    'input_reference must be an https:// URL, and is "http://x"',
    'input_reference',
    'invalid_request',
  ],
  [{ seed: 1 }, 'test-1 does not take "seed"', 'seed', 'unsupported_field'],
  [{ model: 'sora-2' }, 'there is no model "sora-2"', 'model', 'unknown_model'],
])('%j is refused as %p', async (more, message, param, code) => {
  const { status, body } = await ask('POST', '/videos', { body: { ...request, ...more } })
  expect([status, body.error]).toMatchObject([400, { message, param, code, type: 'invalid_request_error' }])
})

test('a file that is no picture, a name that is given twice, and a body that is no form are refused', async () => {
  const refusal = async (body: unknown, headers = {}) => (await ask('POST', '/videos', { body, headers })).body.error
  expect(await refusal(formOf({ ...request, input_reference: new File(['GIF89a'], 'a.gif') }))).toMatchObject({ param: 'input_reference' })
  expect(await refusal(formOf({ ...request, prompt: ['a', 'b'] }))).toMatchObject({
    message: 'prompt is given more than once',
    param: 'prompt',
  })
  expect(await refusal(formOf({ ...request, prompt: 'a\0' }))).toMatchObject({ param: 'prompt' })
  expect(await refusal(request, { 'content-type': 'multipart/form-data; boundary=x' })).toMatchObject({ code: 'invalid_content_type' })
  expect(await refusal(['a'])).toMatchObject({ message: 'the body must be a JSON object' })
})

test('the content is at the address of the video or of its poster, once there is one', async () => {
  const { id } = await create()
  const at = async (query: string) => {
    const { status, headers, body } = await ask('GET', `/videos/${id}/content${query}`)
    return headers.get('location') ?? [status, body.error.code]
  }
  expect(await at('')).toEqual([404, 'video_not_ready'])
  const [video, poster] = await end(id)
  expect([await at(''), await at('?variant=video'), await at('?variant=thumbnail')]).toEqual(
    [video, video, poster].map(file => `${baseUrl}/${file}`),
  )
  expect(await at('?variant=spritesheet')).toEqual([400, 'invalid_request'])
  const failed = await create()
  await end(failed.id, 'failed')
  const { body } = await ask('GET', `/videos/${failed.id}/content`)
  expect(body.error.message).toBe('The video failed: there is nothing to download. Credits are returned.')
  expect((await ask('GET', `/videos/${failed.id}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 'generation_failed', message: 'It failed.' },
  })
})

test('a deleted video is unknown to every read and its files are gone; its Idempotency-Key still has the task', async () => {
  const key = { 'idempotency-key': 'of-the-deleted' }
  const { id } = await create({}, key)
  const running = await ask('DELETE', `/videos/${id}`)
  expect([running.status, running.body.error.code, running.headers.get('x-should-retry')]).toEqual([409, 'video_not_ended', 'false'])
  const [video = '', poster = ''] = await end(id)
  expect((await ask('DELETE', `/videos/${id}`)).body).toEqual({ id, object: 'video.deleted', deleted: true })
  expect([await api.bucket.store.head(video), await api.bucket.store.head(poster)]).toEqual([undefined, undefined])
  const unknown = await ask('GET', '/videos/vt_unknown')
  for (const [method, path] of [
    ['GET', `/videos/${id}`],
    ['GET', `/videos/${id}/content`],
    ['DELETE', `/videos/${id}`],
  ] as const)
    expect(await ask(method, path)).toMatchObject({ status: 404, text: unknown.text })
  expect((await ask('GET', '/videos')).body.data.map((each: { id: string }) => each.id)).not.toContain(id)
  expect(await create({}, key)).toMatchObject({ id, status: 'completed' })
})

test('another account’s video is byte for byte like an unknown one, by every route', async () => {
  const { id } = await create()
  await end(id)
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/content'],
    ['DELETE', ''],
  ] as const) {
    const foreign = await ask(method, `/videos/${id}${path}`, { key: 'other' })
    expect(foreign).toMatchObject({ status: 404, text: (await ask(method, `/videos/vt_unknown${path}`)).text })
  }
  expect((await ask('GET', '/videos', { key: 'other' })).body).toEqual({
    ...{ object: 'list', data: [], first_id: null, last_id: null, has_more: false },
  })
})

test('a list goes on behind its last id, in either order', async () => {
  const { body } = await ask('GET', '/videos?limit=2')
  expect([body.data.length, body.first_id, body.last_id, body.has_more]).toEqual([2, body.data[0].id, body.data[1].id, true])
  const next = (await ask('GET', `/videos?limit=1&after=${body.first_id}`)).body
  expect(next.data[0].id).toBe(body.last_id)
  const back = (await ask('GET', `/videos?limit=1&order=asc&after=${body.last_id}`)).body
  expect([back.data[0].id, back.has_more]).toEqual([body.first_id, false])
})

test('models are told by name', async () => {
  const model = { id: 'test-1', object: 'model', created: 0, owned_by: 'test' }
  expect((await ask('GET', '/models')).body).toEqual({ object: 'list', data: [model] })
  expect((await ask('GET', '/models/test-1')).body).toEqual(model)
  expect((await ask('GET', '/models/sora-2')).body.error).toMatchObject({ code: 'model_not_found', type: 'invalid_request_error' })
})
