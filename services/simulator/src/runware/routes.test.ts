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

async function runware(body: unknown, authorization = `Bearer ${testKey}`) {
  const answer = await fetch(`${simulator.origin}/runware/v1`, {
    ...{ method: 'POST', headers: { authorization, 'content-type': 'application/json' } },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const newTask = (changes: object = {}) => ({
  ...{ taskType: 'videoInference', taskUUID: crypto.randomUUID(), model: 'klingai:kling-video@3-standard', deliveryMethod: 'async' },
  ...{ positivePrompt: `words ${crypto.randomUUID()}`, duration: 3, width: 1280, height: 720, ...changes },
})

/** Submits a task that meets these behaviours. */
async function submit(behaviours: RuleRequest['behaviours'], changes: object = {}) {
  const task = newTask(changes)
  await simulator.post('/admin/behaviours', { match: { prompt_includes: task.positivePrompt }, behaviours })
  return { task, answer: await runware([task]) }
}

const ask = (taskUUID: string) => runware([{ taskType: 'getResponse', taskUUID }])

async function ended(taskUUID: string) {
  for (;;) {
    const { status, body } = await ask(taskUUID)
    if (body.errors || body.data?.[0]?.status === 'success') return { status, body }
    await Bun.sleep(20)
  }
}

const codesOf = async (task: unknown) => {
  const { status, body } = await runware([task])
  return [status, ...(body.errors ?? []).map(({ code, parameter }: Record<string, string>) => [code, parameter])]
}

test('a submit is acknowledged by its own id, and ends as a video', async () => {
  const { task, answer } = await submit([{ name: 'instant' }], { includeCost: true, seed: undefined })
  const { taskType, taskUUID } = task
  expect(answer).toEqual({ status: 200, body: { data: [{ taskType, taskUUID }] } })
  const { status, body } = await ended(taskUUID)
  const [{ videoURL, videoUUID, ...rest }] = body.data
  expect([status, rest]).toEqual([200, { taskType, taskUUID, status: 'success', seed: 42, cost: 0.252 }])
  expect(videoURL).toBe(`${simulator.origin}/outputs/${videoUUID}.mp4`)
  expect((await fetch(videoURL)).status).toBe(200)
})

test('a task that runs is processing; one that nobody has sent is answered with nothing', async () => {
  const { task } = await submit([{ name: 'never_finishes' }])
  expect((await ask(task.taskUUID)).body.data).toEqual([{ taskType: 'videoInference', taskUUID: task.taskUUID, status: 'processing' }])
  expect(await ask(crypto.randomUUID())).toEqual({ status: 200, body: { data: [] } })
})

test('what was submitted in another format is not told in this one', async () => {
  const client_task_id = crypto.randomUUID()
  const request = { client_task_id, model: 'm', mode: 'text-to-video' as const, prompt: `words ${client_task_id}`, duration_seconds: 3 }
  await simulator.post('/admin/behaviours', { match: { client_task_id }, behaviours: [{ name: 'never_finishes' }] })
  expect((await simulator.submit({ ...request, resolution: '720p', aspect_ratio: '16:9' })).status).toBe(201)
  expect(await ask(client_task_id)).toEqual({ status: 200, body: { data: [] } })
})

test('an id that was sent before is a conflict, whatever is sent with it, and one generation', async () => {
  const { task } = await submit([{ name: 'never_finishes' }])
  for (const again of [task, { ...task, duration: 4 }]) expect(await codesOf(again)).toEqual([400, ['conflictTaskUUID', 'taskUUID']])
  const { body } = await simulator.json(`/admin/submits?prompt_includes=${encodeURIComponent(task.positivePrompt)}`)
  expect(body.count).toBe(3)
})

/** Tasks as the examples of runware.ai/docs/models/minimax-hailuo-2-3 and …/klingai-video-3-0-4k have them, in words of our own, with what every task of ours has. */
test.each([
  {
    ...{ model: 'minimax:4@1', width: 1920, height: 1080, duration: 6, fps: 25 },
    providerSettings: { minimax: { promptOptimizer: false } },
  },
  { model: 'klingai:kling-video@3-4k', width: 3840, height: 2160, duration: 9, providerSettings: { klingai: { sound: true } } },
  {
    ...{
      model: 'klingai:kling-video@3-pro',
      width: undefined,
      height: undefined,
      duration: 5,
      outputType: 'URL',
      outputFormat: 'MP4',
      numberResults: 1,
    },
    inputs: {
      frameImages: [{ image: 'https://assets.runware.ai/assets/inputs/36981d15-edbc-472c-8a17-ce37dc90ea24.jpg', frame: 'first' }],
    },
  },
])('a task as Runware’s pages show it is taken: %o', async changes => {
  expect((await submit([{ name: 'never_finishes' }], changes)).answer.status).toBe(200)
})

test('tasks of one list are told apart, and one that is refused leaves the others', async () => {
  const [good, bad] = [newTask(), newTask({ duration: 99 })]
  const { status, body } = await runware([good, bad])
  expect([status, body.data, body.errors.map(({ taskUUID }: { taskUUID: string }) => taskUUID)]).toEqual([
    400,
    [{ taskType: 'videoInference', taskUUID: good.taskUUID }],
    [bad.taskUUID],
  ])
})

test('another scheme of authorization, another key and none are 401', async () => {
  for (const authorization of [`Key ${testKey}`, `bearer ${testKey}`, 'Bearer another', ''])
    expect(await runware([newTask()], authorization)).toMatchObject({ status: 401, body: { errors: [{ code: 'invalidApiKey' }] } })
})

test('what a model doesn’t take is refused, by name', async () => {
  const named = async (changes: object) => codesOf(newTask(changes))
  expect(await named({ taskUUID: '0190f3c4-a1b2-7cd2-8ef0-123456789abc' })).toEqual([400, ['invalidTaskUUID', 'taskUUID']])
  expect(await named({ taskType: 'imageInference' })).toEqual([400, ['unsupportedTaskType', 'taskType']])
  expect(await named({ model: 'klingai:kling-video@9' })).toEqual([400, ['invalidModel', 'model']])
  expect(await named({ mood: 'calm' })).toEqual([400, ['unsupportedParameter', 'mood']])
  expect(await named({ settings: { audio: true } })).toEqual([400, ['unsupportedParameter', 'settings.audio']])
  expect(await named({ providerSettings: { klingai: { sound: 'on' } } })).toEqual([
    400,
    ['invalidProviderSettingsKlingaiSound', 'providerSettings.klingai.sound'],
  ])
  expect(await named({ positivePrompt: undefined })).toEqual([400, ['missingPositivePrompt', 'positivePrompt']])
  expect(await named({ deliveryMethod: undefined })).toEqual([400, ['missingDeliveryMethod', 'deliveryMethod']])
  expect(await named({ duration: '5' })).toEqual([400, ['invalidDuration', 'duration']])
  expect(await named({ duration: 2 })).toEqual([400, ['unsupportedDuration', 'duration']])
  expect(await named({ width: 1281 })).toEqual([400, ['unsupportedDimensions', 'width']])
  expect(await named({ width: undefined, height: undefined })).toEqual([400, ['incompatibleParameters', 'width']])
  const frameImages = [{ image: 'https://ours.example/a', frame: 'first' }]
  expect(await named({ inputs: { frameImages } })).toEqual([400, ['incompatibleParameters', 'width']])
  const alone = { width: undefined, height: undefined }
  expect(await named({ ...alone, inputs: { frameImages: ['https://ours.example/a'] } })).toEqual([
    400,
    ['invalidInputsFrameImages', 'inputs.frameImages'],
  ])
  const mini = { model: 'bytedance:seedance@2.0-mini', duration: 5 }
  const both = { frameImages, referenceImages: ['https://ours.example/a'] }
  expect(await named({ ...mini, inputs: both })).toEqual([400, ['incompatibleParameters', 'inputs']])
  for (const body of ['{}', '[]', '[7]', 'words', '{'])
    expect(await runware(body)).toMatchObject({ status: 400, body: { errors: [{ code: 'invalidJSON' }] } })
})

test('what fails after acceptance is among the errors, with its status', async () => {
  for (const [name, code] of [
    ['fails_after_accept', 'inferenceError'],
    ['moderated', 'providerContentPolicyViolation'],
  ] as const) {
    const { task } = await submit([{ name }])
    const { status, body } = await ended(task.taskUUID)
    expect([status, body.data]).toEqual([200, undefined])
    expect(body.errors).toMatchObject([{ code, status: 'error', taskType: 'videoInference', taskUUID: task.taskUUID }])
  }
})

test('a refusal has the code and the status of its kind', async () => {
  const refusedWith = async (code: string) => {
    const { task, answer } = await submit([{ name: 'refuse', code: code as 'forbidden' }])
    return [answer.status, answer.body.errors[0].code, answer.body.errors[0].taskUUID === task.taskUUID]
  }
  expect(await refusedWith('balance_exhausted')).toEqual([402, 'videoInferenceInsufficientCredits', true])
  expect(await refusedWith('too_many_requests')).toEqual([429, 'rateLimitExceeded', true])
  expect(await refusedWith('content_rejected')).toEqual([400, 'promptBlocked', true])
  expect((await submit([{ name: '500_before_accept' }])).answer.status).toBe(500)
})

test('the webhook is told the response', async () => {
  const listener = startListener()
  const { task } = await submit([{ name: 'instant' }], { webhookURL: listener.url })
  expect(await listener.called).toMatchObject({ data: [{ taskUUID: task.taskUUID, status: 'success' }] })
  await listener.stop()
})

test('a connection says its key first, and then the same tasks', async () => {
  const socket = new WebSocket(`${simulator.origin.replace('http', 'ws')}/runware/v1`)
  await new Promise(resolve => socket.addEventListener('open', resolve))
  const say = (tasks: unknown) => {
    const answer = new Promise(resolve => socket.addEventListener('message', ({ data }) => resolve(JSON.parse(data)), { once: true }))
    socket.send(typeof tasks === 'string' ? tasks : JSON.stringify(tasks))
    return answer
  }
  const task = newTask()
  expect(await say([task])).toMatchObject({ errors: [{ code: 'invalidApiKey' }] })
  expect(await say([{ taskType: 'authentication', apiKey: 'another' }])).toMatchObject({ errors: [{ taskType: 'authentication' }] })
  expect(await say([{ taskType: 'authentication', apiKey: testKey }])).toMatchObject({ data: [{ taskType: 'authentication' }] })
  expect(await say([{ taskType: 'ping', ping: true }])).toEqual({ data: [{ taskType: 'ping', pong: true }] })
  expect(await say('{')).toMatchObject({ errors: [{ code: 'invalidJSON' }] })
  expect(await say([task])).toEqual({ data: [{ taskType: 'videoInference', taskUUID: task.taskUUID }] })
  expect(await say([{ taskType: 'getResponse', taskUUID: task.taskUUID }])).toMatchObject({ data: [{ taskUUID: task.taskUUID }] })
  socket.close()
})

test('a cost that a behaviour tells in the place of the cost', async () => {
  for (const as of [-1, 'free', null]) {
    const { task } = await submit([{ name: 'instant' }, { name: 'cost_told', as }], { includeCost: true })
    const [{ cost = null }] = (await ended(task.taskUUID)).body.data
    expect(cost).toBe(as)
  }
})
