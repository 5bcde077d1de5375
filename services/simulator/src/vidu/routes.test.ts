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

async function vidu(path: string, body?: unknown, authorization = `Token ${testKey}`) {
  const answer = await fetch(`${simulator.origin}/vidu/ent/v2/${path}`, {
    ...{ method: body === undefined ? 'GET' : 'POST', headers: { authorization, 'content-type': 'application/json' } },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const newInput = (changes: object = {}) => ({ model: 'viduq3-turbo', prompt: `words ${crypto.randomUUID()}`, duration: 1, ...changes })

/** Submits a task that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], changes: object = {}, path = 'text2video') {
  const input = newInput(changes)
  await simulator.post('/admin/behaviours', { match: { prompt_includes: input.prompt }, behaviours })
  return { input, answer: await vidu(path, input) }
}

const ask = (id: string) => vidu(`tasks/${id}/creations`)

async function ended(id: string) {
  for (;;) {
    const { body } = await ask(id)
    if (body.state === 'success' || body.state === 'failed') return body
    await Bun.sleep(20)
  }
}

const faultOf = async (changes: object, path = 'text2video') => {
  const { status, body } = await vidu(path, newInput(changes))
  return [status, body.code, body.reason, body.message]
}

test('a submit is answered with what it said, and ends as a video', async () => {
  const { input, answer } = await submit([{ name: 'instant' }], { payload: 'at_1', seed: 7, aspect_ratio: '4:3', resolution: '540p' })
  const { task_id: id, created_at, ...rest } = answer.body
  expect([answer.status, rest]).toEqual([
    200,
    {
      ...{ state: 'created', model: 'viduq3-turbo', prompt: input.prompt, images: [], duration: 1, seed: 7, resolution: '540p' },
      ...{ aspect_ratio: '4:3', movement_amplitude: 'auto', payload: 'at_1', off_peak: false, credits: 8 },
    },
  ])
  expect(id).toMatch(/^\d{18}$/)
  expect(Date.parse(created_at)).toBeGreaterThan(0)
  const task = await ended(id)
  expect(task).toMatchObject({ id, state: 'success', err_code: '', credits: 8, payload: 'at_1' })
  expect(task.creations[0].url).toBe(`${simulator.origin}/outputs/${id}.mp4`)
  expect((await fetch(task.creations[0].url)).status).toBe(200)
})

/** Bodies as the pages of text-to-video, image-to-video, start-end-to-video and reference-to-video have them, for the model that is here. */
test.each([
  [
    'text2video',
    {
      ...{ style: 'general', duration: 5, seed: 0, aspect_ratio: '4:3', resolution: '540p', movement_amplitude: 'auto', off_peak: false },
    },
  ],
  [
    'img2video',
    {
      images: ['https://prod-ss-images.s3.cn-northwest-1.amazonaws.com.cn/vidu-maas/template/image2video.png'],
      ...{ audio: true, duration: 5, seed: 0, resolution: '1080p', movement_amplitude: 'auto', off_peak: false },
    },
  ],
  [
    'start-end2video',
    {
      images: [1, 2].map(at => `https://prod-ss-images.s3.cn-northwest-1.amazonaws.com.cn/vidu-maas/template/startend2video-${at}.jpeg`),
      ...{ duration: 5, seed: 0, resolution: '1080p', movement_amplitude: 'auto', off_peak: false },
    },
  ],
  [
    'reference2video',
    {
      images: [1, 2, 3].map(at => `https://prod-ss-images.s3.cn-northwest-1.amazonaws.com.cn/vidu-maas/template/reference2video-${at}.png`),
      ...{ duration: 4, seed: 0, aspect_ratio: '16:9', resolution: '720p', movement_amplitude: 'auto', off_peak: false },
    },
  ],
])('a task as Vidu’s page of %s shows it is taken', async (path, changes) => {
  expect((await submit([{ name: 'never_finishes' }], changes, path)).answer.status).toBe(200)
})

test('each submit is another task, whatever it carries', async () => {
  const { input, answer } = await submit([{ name: 'never_finishes' }], { payload: 'at_2' })
  const again = await vidu('text2video', input)
  expect(again.status).toBe(200)
  expect(again.body.task_id).not.toBe(answer.body.task_id)
})

test('another scheme of authorization, another key and none are 401', async () => {
  for (const authorization of [`Bearer ${testKey}`, `token ${testKey}`, 'Token another', ''])
    for (const answer of [await vidu('text2video', newInput(), authorization), await vidu('credits', undefined, authorization)])
      expect(answer).toMatchObject({ status: 401, body: { code: 401, reason: 'Unauthorized', message: 'unauthorized' } })
})

test('what a task doesn’t take is refused, by name', async () => {
  const invalid = (field: string) => [400, 400, 'FieldInvalid', `invalid field: ${field}`]
  expect(await faultOf({ mood: 'calm' })).toEqual([400, 400, 'FieldUnwanted', 'unwanted field: mood'])
  expect(await faultOf({ images: ['https://ours.example/a'] })).toEqual([400, 400, 'FieldUnwanted', 'unwanted field: images'])
  expect(await faultOf({ prompt: undefined })).toEqual([400, 400, 'FieldLacking', 'field is missing or empty: prompt'])
  expect(await faultOf({ model: 'viduq1' })).toEqual(invalid('model'))
  for (const duration of [0, 17, '5', 1.5]) expect(await faultOf({ duration })).toEqual(invalid('duration'))
  expect(await faultOf({ resolution: '2k' })).toEqual(invalid('resolution'))
  expect(await faultOf({ aspect_ratio: '21:9' })).toEqual(invalid('aspect_ratio'))
  expect(await faultOf({ seed: -1 })).toEqual(invalid('seed'))
  expect(await faultOf({ audio: 'on' })).toEqual(invalid('audio'))
  expect(await faultOf({ prompt: 'x'.repeat(5_001) })).toEqual(invalid('prompt'))
  const images = (count: number) => ({ images: Array.from({ length: count }, () => 'https://ours.example/a') })
  const tooMany = [400, 400, 'FieldItemCountOutOfRange', 'field item count out of range: images']
  expect(await faultOf(images(2), 'img2video')).toEqual(tooMany)
  expect(await faultOf(images(1), 'start-end2video')).toEqual(tooMany)
  expect(await faultOf({ ...images(8), duration: 5 }, 'reference2video')).toEqual(tooMany)
  expect(await faultOf({ ...images(1), duration: 2 }, 'reference2video')).toEqual(invalid('duration'))
  expect(await faultOf({ ...images(1), aspect_ratio: '16:9' }, 'img2video')).toEqual([
    400,
    400,
    'FieldUnwanted',
    'unwanted field: aspect_ratio',
  ])
  expect(await faultOf({ images: ['no address'] }, 'img2video')).toEqual(invalid('images'))
  expect(await faultOf({}, 'video2video')).toEqual([404, 404, 'NotFound', 'not found'])
  for (const body of ['[]', '7', '{']) expect((await vidu('text2video', body)).status).toBe(400)
})

test('what fails after acceptance is a task that failed, with its word and nothing paid', async () => {
  for (const [name, errCode] of [
    ['fails_after_accept', 'InternalServiceFailure'],
    ['moderated', 'CreationPolicyViolation'],
  ] as const) {
    const { answer } = await submit([{ name }])
    expect(await ended(answer.body.task_id)).toMatchObject({ state: 'failed', err_code: errCode, credits: 0, creations: [] })
  }
})

test('a refusal has the word and the status of its kind', async () => {
  const refusedWith = async (code: string) => {
    const { answer } = await submit([{ name: 'refuse', code: code as 'forbidden' }])
    return [answer.status, answer.body.reason]
  }
  expect(await refusedWith('balance_exhausted')).toEqual([400, 'CreditInsufficient'])
  expect(await refusedWith('too_many_requests')).toEqual([429, 'QuotaExceeded'])
  expect(await refusedWith('content_rejected')).toEqual([400, 'AuditSubmitIllegal'])
  expect((await submit([{ name: '500_before_accept' }])).answer).toMatchObject({ status: 500, body: { reason: 'InternalServiceFailure' } })
})

test('an id of nobody’s, and what was submitted in another format, are not found', async () => {
  expect(await ask('1')).toMatchObject({ status: 404, body: { reason: 'TaskNotFound' } })
  const request = { client_task_id: crypto.randomUUID(), model: 'm', mode: 'text-to-video' as const, prompt: 'words', duration_seconds: 1 }
  await simulator.post('/admin/behaviours', { match: { client_task_id: request.client_task_id }, behaviours: [{ name: 'never_finishes' }] })
  const other = await simulator.submit({ ...request, resolution: '720p', aspect_ratio: '16:9' })
  expect((await ask(other.body.id)).status).toBe(404)
})

test('the tasks of a time are listed page by page, the youngest first, without what they carry', async () => {
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.unshift((await submit([{ name: 'never_finishes' }], { payload: 'at_3' })).answer.body.task_id)
  const { status, body } = await vidu('tasks?pager.pagesz=2')
  expect([status, body.tasks.map(({ id }: { id: string }) => id)]).toEqual([200, ids.slice(0, 2)])
  expect(body.tasks[0].payload).toBeUndefined()
  const next = await vidu(`tasks?pager.pagesz=2&pager.page_token=${body.next_page_token}`)
  expect(next.body.tasks[0].id).toBe(ids[2])
  const before = new Date(Date.now() - 3_600_000).toISOString()
  expect((await vidu(`tasks?created_at.to=${before}`)).body).toEqual({ tasks: [], next_page_token: '' })
  expect((await vidu(`tasks?task_ids=${ids[1]}`)).body.tasks.length).toBe(1)
  for (const query of ['pager.pagesz=101', 'created_at.from=yesterday', 'pager.page_token=x'])
    expect((await vidu(`tasks?${query}`)).body.reason).toBe('FieldInvalid')
  expect((await vidu('tasks?since=1')).body.reason).toBe('FieldUnwanted')
})

test('the account’s credits are told, and nothing that was accepted can be cancelled', async () => {
  expect((await vidu('credits')).body.remains).toMatchObject([{ type: 'metered', concurrency_limit: 5 }])
  const { answer } = await submit([{ name: 'never_finishes' }])
  const { task_id: id } = answer.body
  expect(await vidu(`tasks/${id}/cancel`, { id })).toMatchObject({ status: 400, body: { code: 400, reason: 'BadRequest' } })
  expect((await vidu('tasks/1/cancel', { id: '1' })).status).toBe(404)
})

test('the callback is told the task', async () => {
  const listener = startListener()
  const { answer } = await submit([{ name: 'instant' }], { payload: 'at_4', callback_url: listener.url })
  expect(await listener.called).toMatchObject({ id: answer.body.task_id, state: 'success', payload: 'at_4' })
  await listener.stop()
})
