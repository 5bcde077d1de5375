import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { makeMedia } from '../testing/media'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

type ApiCall = { body?: unknown; key?: string | null; traceId?: string }

async function pixverse(path: string, { body, key = testKey, traceId = crypto.randomUUID() }: ApiCall = {}) {
  const isForm = body instanceof FormData
  const answer = await fetch(`${simulator.origin}/pixverse/openapi/v2/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(key !== null && { 'API-KEY': key }), 'Ai-trace-id': traceId, ...(!isForm && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: isForm ? body : typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const newInput = (changes: object = {}) => ({
  ...{ model: 'v6', prompt: `words ${crypto.randomUUID()}`, duration: 1, quality: '360p', aspect_ratio: '16:9', ...changes },
})

/** Submits a video that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], changes: object = {}, kind = 'text', traceId = crypto.randomUUID()) {
  const input = newInput(changes)
  await simulator.post('/admin/behaviours', { match: { prompt_includes: input.prompt }, behaviours })
  return { input, traceId, answer: await pixverse(`video/${kind}/generate`, { body: input, traceId }) }
}

const ask = (id: unknown) => pixverse(`video/result/${id}`)

async function ended(id: unknown) {
  for (;;) {
    const { body } = await ask(id)
    if (body.Resp.status !== 5) return body.Resp
    await Bun.sleep(20)
  }
}

const codeOf = async (changes: object, kind = 'text') => {
  const { status, body } = await pixverse(`video/${kind}/generate`, { body: newInput(changes) })
  return [status, body.ErrCode, body.Resp]
}

async function upload(type = 'image/png', field = 'image') {
  const path = await makeMedia(`/tmp/filmgate-pixverse-${crypto.randomUUID()}.png`, 'color=orange:size=64x64', '-frames:v', '1')
  const form = new FormData()
  // Bun sends the type that a file's name stands for.
  form.append(field, new Blob([await Bun.file(path).bytes()]), type === 'image/png' ? 'picture.png' : 'words.txt')
  await Bun.file(path).delete()
  return pixverse('image/upload', { body: form })
}

test('a submit is answered with a number, and ends as a video', async () => {
  const { input, answer } = await submit([{ name: 'instant' }], { seed: 7, generate_audio_switch: true, water_mark: false })
  const { video_id: id, ...rest } = answer.body.Resp
  expect([answer.status, answer.body.ErrCode, rest]).toEqual([200, 0, { credits: 9 }])
  expect(Number.isSafeInteger(id) && id > 2 ** 32).toBe(true)
  const video = await ended(id)
  expect(video).toMatchObject({
    id,
    status: 1,
    prompt: input.prompt,
    seed: 7,
    has_audio: true,
    url: `${simulator.origin}/outputs/${id}.mp4`,
  })
  expect((await fetch(video.url)).status).toBe(200)
})

/** As the page of text-to-video-generation has it, with words of our own. */
test('a body as PixVerse’s page shows it is taken', async () => {
  const onPage = { aspect_ratio: '16:9', duration: 5, model: 'v6', motion_mode: 'normal', quality: '540p', seed: 0 }
  expect((await submit([{ name: 'never_finishes' }], onPage)).answer.body.ErrCode).toBe(0)
})

test('an image is uploaded, and a video is made of it', async () => {
  const { body } = await upload()
  const { img_id: id, img_url: url } = body.Resp
  expect((await fetch(url)).headers.get('content-type')).toBe('image/png')
  for (const [kind, images] of [
    ['img', { img_id: id }],
    ['transition', { first_frame_img: id, last_frame_img: id }],
  ] as const) {
    const answer = await pixverse(`video/${kind}/generate`, { body: { ...newInput({ aspect_ratio: undefined }), ...images } })
    expect(await ended(answer.body.Resp.video_id)).toMatchObject({ status: 1 })
  }
  expect((await upload('text/plain')).body.ErrCode).toBe(500032)
  expect((await upload('image/png', 'file')).body.ErrCode).toBe(400017)
  expect((await fetch(`${simulator.origin}/pixverse/images/1`)).status).toBe(404)
})

test('a submit under a trace id that was used before is answered with the video of that time, whatever it says', async () => {
  const { input, traceId, answer } = await submit([{ name: 'never_finishes' }])
  for (const body of [input, newInput()])
    expect((await pixverse('video/text/generate', { body, traceId })).body.Resp.video_id).toBe(answer.body.Resp.video_id)
  expect((await pixverse('video/text/generate', { body: input })).body.Resp.video_id).not.toBe(answer.body.Resp.video_id)
})

test('a question under a trace id that was used before is answered as then', async () => {
  const { answer } = await submit([{ name: 'slow', delay_ms: 200 }, { name: 'instant' }])
  const { video_id: id } = answer.body.Resp
  const traceId = crypto.randomUUID()
  const before = await pixverse(`video/result/${id}`, { traceId })
  expect(before.body.Resp.status).toBe(5)
  await ended(id)
  expect(await pixverse(`video/result/${id}`, { traceId })).toEqual(before)
})

test('another key and none are 401, and a trace id has to be a UUID', async () => {
  for (const key of [null, 'another', `Bearer ${testKey}`])
    for (const answer of [await pixverse('video/text/generate', { body: newInput(), key }), await pixverse('account/balance', { key })])
      expect(answer).toMatchObject({ status: 401, body: { ErrCode: 10001, Resp: null } })
  for (const traceId of ['', 'at_1', '{{$string.uuid}}']) expect((await pixverse('account/balance', { traceId })).body.ErrCode).toBe(400017)
  expect((await pixverse('account/balance')).body).toMatchObject({ ErrCode: 0, Resp: { credit_package: 1_000 } })
})

test('what a kind doesn’t take is refused with 200 and the code of its fault', async () => {
  expect(await codeOf({ mood: 'calm' })).toEqual([200, 400017, null])
  expect(await codeOf({ img_id: 1 })).toEqual([200, 400017, null])
  for (const name of ['prompt', 'quality', 'duration', 'aspect_ratio'])
    expect(await codeOf({ [name]: undefined })).toEqual([200, 400011, null])
  for (const changes of [{ duration: 16 }, { duration: '5' }, { quality: '4k' }, { aspect_ratio: '2:1' }, { seed: -1 }, { model: 'v5' }])
    expect(await codeOf(changes)).toEqual([200, 400013, null])
  expect(await codeOf({ prompt: 'x'.repeat(5_001) })).toEqual([200, 400018, null])
  expect(await codeOf({ aspect_ratio: undefined, img_id: 1 }, 'img')).toEqual([200, 400032, null])
  expect(await codeOf({ aspect_ratio: undefined, img_id: 1, prompt: 'x'.repeat(2_049) }, 'img')).toEqual([200, 400018, null])
  expect((await codeOf({}, 'fusion'))[0]).toBe(404)
  for (const body of ['[]', '7', '{']) expect((await pixverse('video/text/generate', { body })).body.ErrCode).toBe(400013)
})

test('what fails after acceptance is a status of the video', async () => {
  for (const [name, status] of [
    ['fails_after_accept', 8],
    ['moderated', 7],
  ] as const) {
    const { answer } = await submit([{ name }])
    expect(await ended(answer.body.Resp.video_id)).toMatchObject({ status, url: '' })
  }
})

test('a refusal has the code of its kind', async () => {
  const refusedWith = async (code: string) => {
    const { answer } = await submit([{ name: 'refuse', code: code as 'forbidden' }])
    return [answer.status, answer.body.ErrCode]
  }
  expect(await refusedWith('balance_exhausted')).toEqual([200, 500090])
  expect(await refusedWith('too_many_requests')).toEqual([200, 500044])
  expect(await refusedWith('content_rejected')).toEqual([200, 500063])
  expect((await submit([{ name: '500_before_accept' }])).answer).toMatchObject({ status: 500, body: { ErrCode: 99999 } })
})

test('an id of nobody’s is not found', async () => {
  expect((await ask(1)).body).toMatchObject({ ErrCode: 500008, Resp: null })
  expect((await ask('x')).body.ErrCode).toBe(500008)
})
