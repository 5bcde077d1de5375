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

async function kling(path: string, body?: unknown, authorization: string | undefined = `Bearer ${testKey}`) {
  const answer = await fetch(`${simulator.origin}/kling/${path}`, {
    headers: { ...(authorization && { authorization }), 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const model = 'text-to-video/kling-3.0'
const newBody = (changes: object = {}) => ({
  ...{ prompt: `words ${crypto.randomUUID()}`, settings: { duration: 3 }, options: { external_task_id: crypto.randomUUID() } },
  ...changes,
})

/** Submits a body that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], changes: object = {}) {
  const body = newBody(changes)
  await simulator.post('/admin/behaviours', { match: { prompt_includes: body.prompt }, behaviours })
  return { sent: body, answer: await kling(model, body) }
}

async function ended(id: string) {
  for (;;) {
    const { body } = await kling(`tasks?task_ids=${id}`)
    if (['succeeded', 'failed'].includes(body.data[0]?.status)) return body.data[0]
    await Bun.sleep(20)
  }
}

const refusedWith = async (path: string, body: unknown) => {
  const answer = await kling(path, body)
  return [answer.status, answer.body.code, answer.body.message]
}

test('a submit is answered with an id and the caller’s own, and ends as a video', async () => {
  const { sent, answer } = await submit([{ name: 'instant' }])
  const { id, create_time: createdAt, ...rest } = answer.body.data
  expect([answer.status, answer.body.code, answer.body.message]).toEqual([200, 0, 'SUCCEED'])
  expect(rest).toEqual({ status: 'submitted', message: '', update_time: createdAt, external_id: sent.options.external_task_id })
  expect(id).toMatch(/^\d{18}$/)
  const { outputs, billing, ...task } = await ended(id)
  expect(task).toMatchObject({ id, status: 'succeeded', message: '', external_id: sent.options.external_task_id })
  expect(outputs).toEqual([{ type: 'video', id: `${id}1`, url: `${simulator.origin}/outputs/${id}.mp4`, duration: '3.041' }])
  expect(billing).toEqual([{ charge_type: 'unit', amount: '1.8', package_type: 'video' }])
  expect((await fetch(outputs[0].url)).status).toBe(200)
})

test('tasks are asked for by either id, many at once, and those that nobody knows are left out', async () => {
  const [one, other] = [await submit([{ name: 'never_finishes' }]), await submit([{ name: 'never_finishes' }])]
  const [first, second] = [one.answer.body.data.id, other.answer.body.data.id]
  const idsOf = async (query: string) => (await kling(`tasks?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await idsOf(`task_ids=${first},1,${second}`)).toEqual([first, second])
  expect(await idsOf(`external_task_ids=x,${other.sent.options.external_task_id}`)).toEqual([second])
  expect(await idsOf('task_ids=893605946402811985')).toEqual([])
  expect((await kling(`tasks?task_ids=${first}`)).body.data[0].status).toMatch(/^(submitted|processing)$/)
  for (const query of ['', 'ids=1', 'task_ids=', `task_ids=${first}&external_task_ids=x`, `task_ids=${Array(21).fill(first).join()}`])
    expect([query, (await kling(`tasks?${query}`)).body.code]).toEqual([query, 1201])
})

test('what was submitted in another format is not told in this one', async () => {
  const client_task_id = crypto.randomUUID()
  const request = { client_task_id, model: 'm', mode: 'text-to-video' as const, prompt: `words ${client_task_id}`, duration_seconds: 3 }
  await simulator.post('/admin/behaviours', { match: { client_task_id }, behaviours: [{ name: 'never_finishes' }] })
  const { body } = await simulator.submit({ ...request, resolution: '720p', aspect_ratio: '16:9' })
  for (const query of [`external_task_ids=${client_task_id}`, `task_ids=${body.id}`])
    expect((await kling(`tasks?${query}`)).body.data).toEqual([])
})

test('an id that was sent before is refused, whatever is sent with it; without one each submit is another', async () => {
  const { sent } = await submit([{ name: 'never_finishes' }])
  const words = `External_task_id ${sent.options.external_task_id} already exists`
  for (const again of [sent, { ...sent, settings: { duration: 4 } }]) expect(await refusedWith(model, again)).toEqual([400, 1201, words])
  const [one, other] = [
    await submit([{ name: 'never_finishes' }], { options: {} }),
    await submit([{ name: 'never_finishes' }], { options: {} }),
  ]
  expect(one.answer.body.data.id).not.toBe(other.answer.body.data.id)
  expect([one.answer.body.data.external_id, other.answer.body.data.external_id]).toEqual(['', ''])
})

const frame = (type: string) => ({ type, url: 'https://p2-kling.klingai.com/kcdn/image_7.1.png', id: type })
const video = (type: string) => ({ type, url: 'https://p2-kling.klingai.com/kcdn/video_7.1.mp4', id: 'video_1' })
const options = { callback_url: '', external_task_id: '' }

/** The examples of kling.ai/document-api/api/video/*, in words of our own. */
test.each<[string, object]>([
  [
    'text-to-video/kling-3.0-turbo',
    { settings: { duration: 3, resolution: '720p', aspect_ratio: '9:16' }, options: { ...options, watermark_info: { enabled: false } } },
  ],
  [
    'text-to-video/kling-3.0',
    { settings: { resolution: '4k', aspect_ratio: '16:9', duration: 15, audio: 'off', multi_shot: true }, options },
  ],
  ['text-to-video/kling-2.6', { settings: { resolution: '1080p', aspect_ratio: '9:16', duration: 10 }, options }],
  ['image-to-video/kling-3.0-turbo', { contents: [frame('first_frame')], settings: { resolution: '1080p', duration: 10 }, options }],
  [
    'image-to-video/kling-3.0',
    { contents: [frame('first_frame')], settings: { resolution: '4k', duration: 10, audio: 'off', multi_shot: false } },
  ],
  [
    'omni-video/kling-3.0-omni',
    {
      contents: [frame('first_frame'), frame('refer_image')],
      settings: { resolution: '1080p', duration: 5, audio: 'native', multi_shot: false },
    },
  ],
  ['omni-video/kling-3.0-omni', { contents: [video('feature_video')], settings: { resolution: '4k', audio: 'off', multi_shot: true } }],
  [
    'omni-video/kling-3.0-omni',
    { contents: [video('base_video')], settings: { resolution: '1080p', audio: 'original', multi_shot: false } },
  ],
  [
    'omni-video/kling-o1',
    { contents: [frame('first_frame'), frame('refer_image')], settings: { resolution: '1080p', duration: 3, audio: 'off' } },
  ],
  [
    'omni-video/kling-o1',
    { contents: [frame('refer_image'), video('base_video')], settings: { resolution: '1080p', aspect_ratio: '16:9', audio: 'off' } },
  ],
  [
    'motion-control/kling-3.0',
    {
      contents: [frame('image'), video('video')],
      settings: { character_orientation: 'video', resolution: '1080p', audio: 'original' },
      options,
    },
  ],
])('a body as Kling’s page of %s shows it is taken', async (path, { contents, ...rest }: { contents?: object[] }) => {
  const prompt = `words ${crypto.randomUUID()}`
  await simulator.post('/admin/behaviours', { match: { prompt_includes: prompt }, behaviours: [{ name: 'never_finishes' }] })
  const body = contents ? { contents: [{ type: 'prompt', text: prompt }, ...contents], ...rest } : { prompt, ...rest }
  expect(await kling(path, body)).toMatchObject({ status: 200, body: { code: 0 } })
})

test('another scheme of authorization, another key, a pair’s token and none are 401, each in its words', async () => {
  const told = async (authorization: string) => {
    const { status, body } = await kling(model, newBody(), authorization)
    return [status, body.code, body.message.slice(0, 22)]
  }
  for (const authorization of [`Key ${testKey}`, `bearer ${testKey}`, 'Bearer another', `Bearer ${testKey} x`])
    expect(await told(authorization)).toEqual([401, 1002, 'api key not found'])
  expect(await told('Bearer eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln')).toEqual([401, 1002, 'Authentication error. '])
  const none = await fetch(`${simulator.origin}/kling/tasks?task_ids=1`)
  expect([none.status, ((await none.json()) as { code: number }).code]).toEqual([401, 1001])
})

test('what a model doesn’t take is refused, by name', async () => {
  const named = async (path: string, body: unknown) => {
    const [status, code, words] = await refusedWith(path, body)
    return [status, code].join() === '400,1201' ? words : [status, code]
  }
  const settings = (more: object) => newBody({ settings: more })
  expect(await named('text-to-video/kling-9', newBody())).toEqual([404, 1203])
  expect(await named(model, settings({ duration: 2 }))).toBe("settings.duration value '2' is invalid")
  expect(await named(model, settings({ duration: '5' }))).toBe("settings.duration value '5' is invalid")
  expect(await named(model, settings({ aspect_ratio: '4:3' }))).toBe("settings.aspect_ratio value '4:3' is invalid")
  expect(await named(model, settings({ audio: 'on' }))).toBe("settings.audio value 'on' is invalid")
  expect(await named(model, settings({ mode: 'pro' }))).toBe('settings.mode is not a field')
  expect(await named(model, newBody({ negative_prompt: 'x' }))).toBe('negative_prompt is not a field')
  expect(await named(model, newBody({ prompt: ' ' }))).toBe('prompt cannot be blank')
  expect(await named(model, newBody({ prompt: 'x'.repeat(3_073) }))).toBe('prompt cannot exceed 3072 characters')
  expect(await named(model, newBody({ options: { callback: 'x' } }))).toBe('options.callback is not a field')
  expect(await named('text-to-video/kling-3.0-turbo', settings({ audio: 'off' }))).toBe('settings.audio is not a field')
  expect(await named('text-to-video/kling-2.6', settings({ audio: 'native', duration: 5 }))).toBe(
    "settings.resolution value '720p' is invalid",
  )
  const prompt = { type: 'prompt', text: 'words' }
  const contents = (path: string, list: unknown, more: object = {}) => named(path, { contents: list, settings: more })
  expect(await contents('image-to-video/kling-3.0', [])).toBe('contents cannot be empty')
  expect(await contents('image-to-video/kling-3.0', [prompt])).toBe('first_frame is required')
  for (const type of ['end_frame', 'constructor', 'element'])
    expect(await contents('image-to-video/kling-3.0', [{ type, url: 'https://a.example' }])).toBe(
      `contents[0].type value '${type}' is invalid`,
    )
  expect(await contents('image-to-video/kling-3.0', [{ type: 'first_frame', url: 'notaurl' }])).toBe(
    "contents[0].url value 'notaurl' is invalid",
  )
  expect(await contents('image-to-video/kling-3.0', [frame('first_frame'), frame('first_frame')])).toBe(
    "contents: too many of type 'first_frame'",
  )
  expect(await contents('image-to-video/kling-2.6', [prompt, frame('first_frame'), frame('last_frame')])).toBe(
    "settings.resolution value '720p' is invalid",
  )
  const omni = 'omni-video/kling-3.0-omni'
  expect(await contents(omni, [prompt])).toBe('settings.aspect_ratio is required')
  expect(await contents(omni, [prompt, frame('last_frame')], { aspect_ratio: '16:9' })).toBe('first_frame is required')
  expect(await contents(omni, [prompt, video('feature_video')], { audio: 'native' })).toBe("settings value 'feature_video' is invalid")
  expect(await contents(omni, [prompt, video('base_video'), frame('first_frame')])).toBe("settings value 'base_video' is invalid")
  expect(await contents('omni-video/kling-o1', [prompt, frame('first_frame')], { duration: 4 })).toMatch(/^Duration only supports 5 or 10/)
  expect(await contents('motion-control/kling-3.0', [prompt, frame('image'), video('video')])).toBe('character_orientation is required')
  for (const body of ['{', '[]', '7', 'null']) expect(await refusedWith(model, body)).toEqual([400, 1201, 'body is invalid'])
})

test('what fails after acceptance is a task with words, and costs nothing', async () => {
  for (const [name, words] of [
    ['fails_after_accept', 'Internal generation error'],
    ['moderated', 'Failure to pass the risk control system'],
  ] as const) {
    const { answer } = await submit([{ name }])
    const task = await ended(answer.body.data.id)
    expect(task).toMatchObject({ status: 'failed', message: words, billing: [{ amount: '0' }] })
    expect(task.outputs).toBeUndefined()
  }
})

test('a refusal has the code and the status of its kind', async () => {
  const refusalOf = async (code: string) => {
    const { answer } = await submit([{ name: 'refuse', code: code as 'forbidden' }])
    return [answer.status, answer.body.code]
  }
  expect(await refusalOf('balance_exhausted')).toEqual([429, 1102])
  expect(await refusalOf('too_many_requests')).toEqual([429, 1303])
  expect(await refusalOf('content_rejected')).toEqual([400, 1301])
  expect(await refusalOf('forbidden')).toEqual([403, 1103])
  expect((await submit([{ name: '500_before_accept' }])).answer).toMatchObject({ status: 500, body: { code: 5000 } })
})

test('the callback is told the task, and nothing around it', async () => {
  const listener = startListener()
  const external_task_id = crypto.randomUUID()
  const { answer } = await submit([{ name: 'instant' }], {
    options: { external_task_id, callback_url: listener.url },
  })
  expect(await listener.called).toEqual(await ended(answer.body.data.id))
  expect(await listener.called).toMatchObject({ status: 'succeeded', external_id: external_task_id, outputs: [{ type: 'video' }] })
  await listener.stop()
})
