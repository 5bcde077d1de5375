import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const json = { 'content-type': 'application/json', 'x-dashscope-async': 'enable' }
const bearer = { authorization: `Bearer ${testKey}` }

async function dashscope(path: string, init: RequestInit = { headers: bearer }) {
  const answer = await fetch(`${simulator.origin}/dashscope/api/v1${path}`, init)
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const post = (body: unknown, headers: Record<string, string> = { ...json, ...bearer }) =>
  dashscope('/services/aigc/video-generation/video-synthesis', {
    ...{ method: 'POST', headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const words = () => `words ${crypto.randomUUID()}`
const newSubmit = (input: object = {}, parameters: object = {}, model = 'wan3.0-video') => ({
  ...{ model, input: { prompt: words(), ...input }, parameters: { resolution: '480P', duration: 2, ...parameters } },
})

/** Submits what meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], body = newSubmit()) {
  await simulator.post('/admin/behaviours', { match: { prompt_includes: body.input.prompt }, behaviours })
  return post(body)
}

const ask = (id: string) => dashscope(`/tasks/${id}`)

async function ended(id: string) {
  for (;;) {
    const { status, body } = await ask(id)
    if (['SUCCEEDED', 'FAILED'].includes(body.output?.task_status)) return { status, body }
    await Bun.sleep(20)
  }
}

const faultOf = async (body: unknown) => {
  const { status, body: told } = await post(body)
  return [status, told.code, told.message]
}

test('a submit is answered with a task that is pending, and ends as a video', async () => {
  const body = newSubmit({}, { seed: 7, watermark: false, audio: false, ratio: 'adaptive' })
  const { status, body: accepted } = await submit([{ name: 'instant' }], body)
  const { task_id: id } = accepted.output
  expect([status, accepted]).toEqual([200, { request_id: expect.any(String), output: { task_status: 'PENDING', task_id: id } }])
  const { body: done } = await ended(id)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
  const url = `${simulator.origin}/outputs/${id}.mp4`
  expect(done).toEqual({
    request_id: expect.any(String),
    output: {
      ...{ task_id: id, task_status: 'SUCCEEDED', submit_time: time, scheduled_time: time, end_time: time },
      ...{ orig_prompt: body.input.prompt, video_url: url },
    },
    usage: { video_count: 1, duration: 2, output_video_duration: 2, input_video_duration: 0, SR: 480 },
  })
  expect((await fetch(url)).status).toBe(200)
})

test('a task that runs is told so; an id that was never given, or not in this format, is UNKNOWN with 200', async () => {
  const { body } = await submit([{ name: 'never_finishes' }])
  const { task_id: id } = body.output
  expect((await ask(id)).body.output).toMatchObject({ task_id: id, task_status: expect.stringMatching(/^(PENDING|RUNNING)$/) })
  const nobodys = crypto.randomUUID()
  expect(await ask(nobodys)).toMatchObject({ status: 200, body: { output: { task_id: nobodys, task_status: 'UNKNOWN' } } })
  const gone = (await submit([{ name: 'vanishes' }])).body.output.task_id
  expect((await ask(gone)).body.output.task_status).toBe('UNKNOWN')
  const request = { client_task_id: crypto.randomUUID(), model: 'm', mode: 'text-to-video' as const, prompt: words(), duration_seconds: 3 }
  await simulator.post('/admin/behaviours', { match: { prompt_includes: request.prompt }, behaviours: [{ name: 'never_finishes' }] })
  const { body: other } = await simulator.submit({ ...request, resolution: '720p', aspect_ratio: '16:9' })
  expect((await ask(other.id)).body.output.task_status).toBe('UNKNOWN')
})

test('each submit is another task, and none can be canceled', async () => {
  const body = newSubmit()
  const first = await submit([{ name: 'never_finishes' }], body)
  const second = await post(body)
  expect(first.body.output.task_id).not.toBe(second.body.output.task_id)
  const cancel = (headers: Record<string, string>) => dashscope(`/tasks/${first.body.output.task_id}/cancel`, { method: 'POST', headers })
  expect(await cancel(bearer)).toMatchObject({ status: 400, body: { code: 'UnsupportedOperation' } })
  expect((await cancel({})).status).toBe(401)
})

test('another scheme of authorization, another key and none are 401; a submit that would wait for its video is 403', async () => {
  for (const authorization of [`Key ${testKey}`, `bearer ${testKey}`, 'Bearer another', '']) {
    expect(await post(newSubmit(), { ...json, authorization })).toMatchObject({ status: 401, body: { code: 'InvalidApiKey' } })
    expect((await dashscope(`/tasks/${crypto.randomUUID()}`, { headers: { authorization } })).status).toBe(401)
  }
  const synchronous = await post(newSubmit(), { 'content-type': 'application/json', ...bearer })
  expect(synchronous).toMatchObject({ status: 403, body: { code: 'AccessDenied' } })
})

const at = (name: string) => `https://ours.example/${name}`
const image = { type: 'first_frame', url: at('a') }
const clip = { type: 'reference_video', url: at('b') }
const picture = { type: 'reference_image', url: at('c') }

/** Submits as Model Studio's pages show them, in words of our own. */
test.each([
  { model: 'wan2.5-t2v-preview', input: { audio_url: at('a.mp3') }, parameters: { size: '832*480', prompt_extend: true, duration: 10 } },
  { model: 'wan2.6-t2v', input: {}, parameters: { size: '1280*720', prompt_extend: true, duration: 10, shot_type: 'multi' } },
  { model: 'wan2.6-i2v', input: { img_url: at('a.png') }, parameters: { resolution: '720P', prompt_extend: true, duration: 10 } },
  { model: 'wan2.5-i2v-preview', input: { img_url: at('a.png') }, parameters: { resolution: '480P', duration: 10 } },
  { model: 'wan2.7-t2v', input: {}, parameters: { resolution: '720P', ratio: '16:9', duration: 15, watermark: true, seed: 1 } },
  {
    model: 'wan2.7-i2v',
    input: { media: [image, { type: 'driving_audio', url: at('a.mp3') }] },
    parameters: { resolution: '720P', duration: 10, prompt_extend: true, watermark: true },
  },
  { model: 'wan2.7-r2v', input: { media: [picture, clip] }, parameters: { resolution: '720P', ratio: '9:16', duration: 10 } },
  { model: 'wan3.0-video', input: { media: [picture, clip] }, parameters: { resolution: '480P', ratio: 'adaptive', duration: 5 } },
  { model: 'wan3.0-video', input: { media: [image] }, parameters: { resolution: '480P', ratio: 'adaptive', prompt_extend: true } },
])('a submit as the provider’s pages show it is taken: %o', async ({ model, input, parameters }) => {
  const body = { model, input: { prompt: words(), ...input }, parameters }
  expect((await submit([{ name: 'never_finishes' }], body as never)).status).toBe(200)
})

test('what a model doesn’t take is refused, by name', async () => {
  const invalid = (message: string) => [400, 'InvalidParameter', message]
  expect(await faultOf({ ...newSubmit(), model: 'wan9.0-video' })).toEqual(invalid('Model not exist.'))
  expect(await faultOf({ ...newSubmit(), callback: at('hook') })).toEqual(invalid('callback is not taken'))
  expect(await faultOf({ model: 'wan3.0-video' })).toEqual(invalid('Field required: input'))
  expect(await faultOf(newSubmit({ mood: 'calm' }))).toEqual(invalid('input.mood is not taken by this model'))
  expect(await faultOf(newSubmit({ img_url: at('a') }))).toEqual(invalid('input.img_url is not taken by this model'))
  expect(await faultOf(newSubmit({}, { size: '1280*720' }))).toEqual(invalid('parameters.size is not taken by this model'))
  expect(await faultOf(newSubmit({}, { audio: 'off' }))).toEqual(invalid('parameters.audio must be of the kind boolean'))
  expect(await faultOf(newSubmit({}, { duration: '5' }))).toEqual(invalid('parameters.duration must be of the kind integer'))
  expect(await faultOf(newSubmit({ prompt: undefined }))).toEqual(invalid('Field required: input.prompt'))
  expect(await faultOf(newSubmit({}, { duration: 31 }))).toEqual(invalid('parameters.duration is out of range'))
  expect(await faultOf(newSubmit({}, { seed: -1 }))).toEqual(invalid('parameters.seed is out of range'))
  expect(await faultOf(newSubmit({}, { ratio: '3:2' }))).toEqual(invalid('parameters.ratio is not one of this model’s'))
  for (const resolution of ['480p', undefined])
    expect(await faultOf(newSubmit({}, { resolution }))).toEqual(invalid('The size is not match'))
  const sized = newSubmit({}, { size: '1280x720', resolution: undefined, duration: 5 }, 'wan2.6-t2v')
  expect(await faultOf(sized)).toEqual(invalid('The size is not match'))
  const long = newSubmit({ prompt: 'x'.repeat(1_501) }, {}, 'wan2.6-t2v')
  expect(await faultOf({ ...long, parameters: {} })).toEqual(invalid('input.prompt would be cut off at 1500 characters'))
  for (const body of ['{', '[]', '7']) expect((await faultOf(body)).slice(0, 2)).toEqual([400, 'InvalidParameter'])
})

test('media have their kinds, how many of each there may be, and what stands beside what', async () => {
  const invalid = (message: unknown) => [400, 'InvalidParameter', message]
  const withMedia = (media: unknown, model?: string) => faultOf(newSubmit({ media }, { resolution: '720P' }, model))
  expect(await withMedia([{ type: 'mood', url: at('a') }])).toEqual(invalid('input.media takes 0 of mood'))
  expect(await withMedia([image, image])).toEqual(invalid('input.media takes 1 of first_frame'))
  expect(await withMedia([image, picture])).toEqual(invalid(expect.stringContaining('mutually exclusive')))
  for (const bad of ['https://a', [], ['https://a'], [{ type: 'first_frame' }], [{ ...image, mood: 'calm' }]])
    expect(await withMedia(bad)).toEqual(invalid('input.media must be of the kind media'))
  expect(await withMedia(undefined, 'wan2.7-r2v')).toEqual(invalid('Field required: input.media'))
  expect(await withMedia([picture, picture, picture, clip, clip, clip], 'wan2.7-r2v')).toEqual(invalid('input.media takes 5 references'))
  const long = newSubmit({ media: [clip] }, { resolution: '720P', duration: 11 }, 'wan2.7-r2v')
  expect(await faultOf(long)).toEqual(invalid('parameters.duration is out of range'))
})

test('what fails after acceptance is a task with a code, and 200', async () => {
  for (const [name, code] of [
    ['fails_after_accept', 'InternalError.Algo'],
    ['moderated', 'DataInspectionFailed'],
  ] as const) {
    const { body } = await submit([{ name }])
    const { status, body: failed } = await ended(body.output.task_id)
    expect([status, failed.output.task_status, failed.output.code, failed.usage]).toEqual([200, 'FAILED', code, undefined])
  }
})

test('a refusal has the code and the status of its kind', async () => {
  const refusedWith = async (code: string) => {
    const { status, body } = await submit([{ name: 'refuse', code: code as 'forbidden' }])
    return [status, body.code]
  }
  expect(await refusedWith('balance_exhausted')).toEqual([400, 'Arrearage'])
  expect(await refusedWith('too_many_requests')).toEqual([429, 'Throttling.RateQuota'])
  expect(await refusedWith('content_rejected')).toEqual([400, 'DataInspectionFailed'])
  expect(await refusedWith('input_unreachable')).toEqual([400, 'InvalidParameter.DataInspection'])
  expect((await submit([{ name: '500_before_accept' }])).status).toBe(500)
})
