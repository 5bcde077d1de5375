import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { startListener } from '../testing/listener'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

async function ark(method: 'GET' | 'POST', path: string, body?: unknown, authorization = `Bearer ${testKey}`) {
  const answer = await fetch(`${simulator.origin}/ark/api/v3/contents/generations/tasks${path}`, {
    ...{ method, headers: { authorization, 'content-type': 'application/json' } },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const mini = 'doubao-seedance-2-0-mini-260615'
const text = (words = `words ${crypto.randomUUID()}`) => ({ type: 'text', text: words })
const image = (role: string) => ({ type: 'image_url', image_url: { url: 'https://ours.example/a.png' }, role })
const video = { type: 'video_url', video_url: { url: 'https://ours.example/a.mp4' }, role: 'reference_video' }
const audio = { type: 'audio_url', audio_url: { url: 'https://ours.example/a.mp3' }, role: 'reference_audio' }
const newTask = (changes: object = {}) => ({ model: mini, content: [text()], resolution: '480p', ratio: '16:9', duration: 4, ...changes })

/** Submits a task that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], changes: object = {}) {
  const prompt = `words ${crypto.randomUUID()}`
  await simulator.post('/admin/behaviours', { match: { prompt_includes: prompt }, behaviours })
  return { prompt, answer: await ark('POST', '', newTask({ content: [text(prompt)], ...changes })) }
}

async function ended(id: string) {
  for (;;) {
    const { body } = await ark('GET', `/${id}`)
    if (body.status === 'succeeded' || body.status === 'failed') return body
    await Bun.sleep(20)
  }
}

const faultOf = async (changes: object) => {
  const { status, body } = await ark('POST', '', newTask(changes))
  return [status, body.error?.code, body.error?.param]
}

test('a submit says its id, and a read what became of it', async () => {
  const { answer } = await submit([{ name: 'instant' }], { generate_audio: true, safety_identifier: 'somebody' })
  expect(answer).toEqual({ status: 200, body: { id: expect.stringMatching(/^cgt-\d{14}-[0-9a-z]+$/), safety_identifier: 'somebody' } })
  const { id } = answer.body
  const { content, created_at, updated_at, ...rest } = await ended(id)
  expect(rest).toEqual({
    ...{ id, model: mini, status: 'succeeded', error: null, usage: { completion_tokens: 38_880, total_tokens: 38_880 }, seed: 42 },
    ...{ resolution: '480p', ratio: '16:9', duration: 4, framespersecond: 24, service_tier: 'default', execution_expires_after: 172_800 },
    ...{ generate_audio: true, safety_identifier: 'somebody' },
  })
  expect(content).toEqual({ video_url: `${simulator.origin}/outputs/${id}.mp4` })
  expect((await fetch(content.video_url)).status).toBe(200)
})

test('nulls are what was not said, as Ark’s own client sends them', async () => {
  const { answer } = await submit([{ name: 'never_finishes' }], { seed: null, tools: null, callback_url: null })
  expect(answer.status).toBe(200)
})

test('a list tells what its ids name, by page, state and model, and all of it newest first', async () => {
  const [first, second] = [await submit([{ name: 'never_finishes' }]), await submit([{ name: 'instant' }])]
  const [a, b] = [first.answer.body.id, second.answer.body.id]
  await ended(b)
  const idsIn = async (query: string) => {
    const { status, body } = await ark('GET', `?${query}`)
    return [status, body.total, body.items.map(({ id }: { id: string }) => id)]
  }
  const both = `filter.task_ids=${a}&filter.task_ids=${b}`
  expect(await idsIn(`${both}&filter.task_ids=cgt-unknown`)).toEqual([200, 2, [a, b]])
  expect(await idsIn(`${both}&filter.status=succeeded`)).toEqual([200, 1, [b]])
  expect(await idsIn(`${both}&filter.model=doubao-seedance-1-5-pro-251215`)).toEqual([200, 0, []])
  expect(await idsIn(`${both}&page_num=2&page_size=1`)).toEqual([200, 2, [b]])
  expect(((await idsIn('page_num=1&page_size=2')) as [number, number, string[]])[2]).toEqual([b, a])
  for (const query of ['page_size=501', 'page_num=0', 'page_size=x', 'filter.owner=a'])
    expect((await ark('GET', `?${query}`)).status).toBe(400)
})

test('what is unknown, and what was submitted in another format, is not told', async () => {
  const other = await simulator.post('/v1/generations', {
    ...{ client_task_id: crypto.randomUUID(), model: 'm', mode: 'text-to-video', prompt: 'x', duration_seconds: 1 },
    ...{ resolution: '360p', aspect_ratio: '16:9' },
  })
  for (const id of [other.body.id, 'cgt-unknown']) {
    expect(await ark('GET', `/${id}`)).toMatchObject({ status: 404, body: { error: { type: 'NotFound' } } })
    expect((await ark('GET', `?filter.task_ids=${id}`)).body).toEqual({ total: 0, items: [] })
  }
})

test('another scheme of authorization, another key and none are 401', async () => {
  for (const authorization of [`Key ${testKey}`, `bearer ${testKey}`, 'Bearer another', ''])
    for (const call of [ark('GET', '', undefined, authorization), ark('POST', '', newTask(), authorization)])
      expect(await call).toMatchObject({ status: 401, body: { error: { code: 'AuthenticationError', type: 'Unauthorized' } } })
})

test('what a model doesn’t take is refused, by name', async () => {
  const invalid = (param: string) => [400, 'InvalidParameter', param]
  expect(await faultOf({ mood: 'calm' })).toEqual(invalid('mood'))
  expect(await faultOf({ duration: undefined })).toEqual([400, 'MissingParameter', 'duration'])
  expect(await faultOf({ resolution: undefined })).toEqual([400, 'MissingParameter', 'resolution'])
  for (const duration of [3, 16, -1, '5', 4.5]) expect(await faultOf({ duration })).toEqual(invalid('duration'))
  expect(await faultOf({ resolution: '1080p' })).toEqual(invalid('resolution'))
  expect(await faultOf({ ratio: '2:1' })).toEqual(invalid('ratio'))
  expect(await faultOf({ seed: 7 })).toEqual(invalid('seed'))
  expect(await faultOf({ generate_audio: 'no' })).toEqual(invalid('generate_audio'))
  expect(await faultOf({ service_tier: 'flex' })).toEqual(invalid('service_tier'))
  expect(await faultOf({ safety_identifier: 'x'.repeat(65) })).toEqual(invalid('safety_identifier'))
  expect(await faultOf({ content: [text('a boat --dur 12')] })).toEqual(invalid('content[0].text'))
  expect(await faultOf({ model: 'doubao-seedance-9' })).toEqual([404, 'InvalidEndpointOrModel.NotFound', ''])
  for (const body of ['{', '[]', 'null', '"x"']) expect((await ark('POST', '', body)).status).toBe(400)
})

test('a text, frames or references, and never two of them', async () => {
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await simulator.post('/admin/behaviours', {
    match: { prompt_includes: marked },
    behaviours: [{ name: 'refuse', code: 'too_many_requests' }],
  })
  const statusOf = async (media: object[], changes: object = {}) =>
    (await ark('POST', '', newTask({ content: [text(marked), ...media], ...changes }))).status
  const pictures = (count: number) => Array.from({ length: count }, () => image('reference_image'))
  for (const media of [[], [image('first_frame')], [image('first_frame'), image('last_frame')], [...pictures(9), video, audio], [video]])
    expect(await statusOf(media)).toBe(429)
  for (const media of [
    [image('last_frame')],
    [image('first_frame'), image('reference_image')],
    pictures(10),
    [audio],
    [image('reference_video')],
    [{ ...video, fps: 24 }],
    [{ type: 'image_url', image_url: { url: 'no address' }, role: 'first_frame' }],
  ])
    expect(await statusOf(media)).toBe(400)
  expect(await statusOf([audio], { model: 'doubao-seedance-2-5-260628' })).toBe(429)
  expect(await statusOf([image('first_frame')], { model: 'doubao-seedance-2-5-260628' })).toBe(400)
  expect(await statusOf([image('first_frame')], { model: 'doubao-seedance-2-5-260628', ratio: 'adaptive' })).toBe(429)
  expect(await statusOf([], { model: 'seedance-1-0-pro-250528', ratio: 'adaptive' })).toBe(400)
})

test('what fails after acceptance has Ark’s code', async () => {
  for (const [name, code] of [
    ['fails_after_accept', 'InternalServiceError'],
    ['moderated', 'OutputVideoSensitiveContentDetected'],
  ] as const) {
    const { answer } = await submit([{ name }])
    expect(await ended(answer.body.id)).toMatchObject({ status: 'failed', error: { code } })
  }
})

test('a refusal has the code and the status of its kind', async () => {
  const refusedWith = async (code: string) => {
    const { answer } = await submit([{ name: 'refuse', code: code as 'forbidden' }])
    return [answer.status, answer.body.error.code, answer.body.error.type]
  }
  expect(await refusedWith('balance_exhausted')).toEqual([403, 'AccountOverdueError', 'Forbidden'])
  expect(await refusedWith('too_many_requests')).toEqual([429, 'RateLimitExceeded.EndpointRPMExceeded', 'TooManyRequests'])
  expect(await refusedWith('content_rejected')).toEqual([400, 'InputTextSensitiveContentDetected', 'BadRequest'])
  expect((await submit([{ name: '500_before_accept' }])).answer).toMatchObject({
    status: 500,
    body: { error: { code: 'InternalServiceError' } },
  })
})

test('an identifier is not told where it is ignored, and no identifier makes two submits one', async () => {
  const ignored = await submit([{ name: 'ignore_token' }, { name: 'never_finishes' }], { safety_identifier: 'somebody' })
  expect(ignored.answer.body.safety_identifier).toBeUndefined()
  expect((await ark('GET', `/${ignored.answer.body.id}`)).body.safety_identifier).toBeUndefined()
  const again = await submit([{ name: 'never_finishes' }], { safety_identifier: 'somebody' })
  expect(again.answer.body.id).not.toBe(ignored.answer.body.id)
})

test('the callback is told the task as a read has it', async () => {
  const listener = startListener()
  const { answer } = await submit([{ name: 'instant' }], { callback_url: listener.url })
  expect(await listener.called).toEqual((await ark('GET', `/${answer.body.id}`)).body)
  await listener.stop()
})
