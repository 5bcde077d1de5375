import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { newAttemptId } from '../../testing/attempt-id'
import { ProviderTrouble } from '../call'
import type { Connector, Submission } from '../connector'
import { generating } from '../mapping/running'
import { connectRunware } from './connect-runware'
import { attemptIdOf, taskUuidOf } from './task-uuid'

type ProviderRequest = { authorization: string | null; path: string; body: unknown }

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** Runware, answering everything so. */
function answering(answer: () => Response): { provider: Connector; asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push({ authorization: request.headers.get('authorization'), path: pathname, body: await request.json() })
      return answer()
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}/v1`
  return { provider: connectRunware({ url, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), asked }
}

const { signal } = new AbortController()
const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
const id = '0190f3c4-a1b2-4cd2-8ef0-123456789abc'
const submission: Submission = {
  attemptId,
  providerModel: 'klingai:kling-video@3-pro',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '1080p', aspectRatio: '16:9', generateAudio: false }),
  mapping: {
    fields: {
      prompt: 'positivePrompt',
      duration: { field: 'duration', min: 3, max: 15 },
      resolution: { values: ['1080p'] },
      aspect_ratio: { field: 'size', values: { '16:9': '1920x1080' } },
      generate_audio: 'providerSettings.klingai.sound',
      watermark: { values: { false: null } },
      image_url: 'inputs.frameImages.first',
      end_image_url: 'inputs.frameImages.last',
      reference_image_urls: { field: 'inputs.referenceImages', items_max: 2 },
    },
    always: { 'providerSettings.klingai.calm': true },
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/runware/at_1',
}
const json = (status: number, body: unknown) => Response.json(body, { status })
const submitTo = (answer: Response) => answering(() => answer.clone() as Response).provider.submit(submission, signal)
const polled = { attemptId, providerTaskId: id, providerModel: submission.providerModel, echoed: true }
const pollOf = async (answer: Response) => (await answering(() => answer.clone() as Response).provider.poll([polled], signal))[0]
const error = (code: string, more: object = { taskUUID: id }) => ({ errors: [{ code, message: 'words', ...more }] })
const item = (more: object) => ({ data: [{ taskType: 'videoInference', taskUUID: id, ...more }] })

test('an attempt’s id and its task’s are one number: a UUID v4 for Runware, and back', () => {
  expect([taskUuidOf(attemptId), attemptIdOf(id)]).toEqual([id, attemptId])
  for (let count = 0; count < 100; count++) {
    const own = newAttemptId()
    expect(taskUuidOf(own)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(attemptIdOf(taskUuidOf(own))).toBe(own)
  }
  expect(attemptIdOf('a-number-of-nobody')).toBeNull()
  expect(() => taskUuidOf('at_1')).toThrow()
})

test('a submit is one task of a list, with our id, where every word of its route stands where it says', async () => {
  const { provider, asked } = answering(() => json(200, item({})))
  expect(await provider.submit(submission, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: true })
  expect(asked).toEqual([
    {
      ...{ authorization: 'Bearer the-key', path: '/v1' },
      body: [
        {
          ...{ taskType: 'videoInference', taskUUID: id, model: 'klingai:kling-video@3-pro', deliveryMethod: 'async', outputType: 'URL' },
          ...{ outputFormat: 'MP4', numberResults: 1, includeCost: true, webhookURL: 'https://api.example/hooks/runware/at_1' },
          ...{ positivePrompt: 'a boat', duration: 5, width: 1920, height: 1080 },
          providerSettings: { klingai: { calm: true, sound: false } },
        },
      ],
    },
  ])
})

test('frames are a list with their places, references a list of addresses', async () => {
  const { provider, asked } = answering(() => json(200, item({})))
  const handed = (field: string, index = 0) => ({ kind: MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` })
  const media = [handed('end_image_url'), handed('image_url'), handed('reference_image_urls', 1), handed('reference_image_urls', 0)]
  await provider.submit({ ...submission, media }, signal)
  const [{ inputs }] = (asked[0]?.body ?? []) as [{ inputs: unknown }]
  expect(inputs).toEqual({
    referenceImages: ['https://ours.example/reference_image_urls/0', 'https://ours.example/reference_image_urls/1'],
    frameImages: [
      { image: 'https://ours.example/image_url/0', frame: 'first' },
      { image: 'https://ours.example/end_image_url/0', frame: 'last' },
    ],
  })
})

test('what was sent before under our id was taken', async () => {
  const accepted = { outcome: 'accepted', providerTaskId: id, echoed: true }
  expect(await submitTo(json(400, { data: [], ...error('conflictTaskUUID') }))).toEqual(accepted as never)
  expect(await submitTo(json(200, error('conflictTaskUUID')))).toEqual(accepted as never)
  for (const named of [{ taskUUID: 'another' }, {}])
    expect(await submitTo(json(400, error('conflictTaskUUID', named)))).toMatchObject({ outcome: 'unknown' })
})

test.each<[string, () => Response]>([
  ['an acknowledgement of another task', () => json(200, { data: [{ taskUUID: 'another' }] })],
  ['nothing', () => json(200, { data: [] })],
  ['something else', () => json(200, { ok: true })],
  ['a refusal beside something that is no task', () => json(400, { data: [7], ...error('invalidModel') })],
  ['a fault of its own with 400', () => json(400, error('timeoutProvider'))],
  ['an unknown error', () => json(400, error('unknownError'))],
  ['a fault of its own that stands alone', () => json(400, { error: { code: 'timeoutProvider' }, taskUUID: id })],
  ['our id, sent before, in an error that stands alone', () => json(400, { error: { code: 'conflictTaskUUID' } })],
  ['a generation that began and broke', () => json(200, error('inferenceError', { taskUUID: id }))],
  ['400 without a word of Runware’s', () => json(400, {})],
  ['408', () => json(408, error('requestTimeout'))],
  ['409', () => json(409, error('x'))],
  ['500', () => json(500, error('internalServerError', {}))],
  ['503', () => json(503, error('serviceUnavailable', {}))],
  ['a redirect', () => new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['a page', () => new Response('<html>', { status: 400 })],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  expect(await submitTo(answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit whose task was not taken is refused: its key, its balance, its form, the rate, the content', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  expect(await submitTo(json(401, error('invalidApiKey', {})))).toMatchObject({ ...refused, cause: 'answered 401 invalidApiKey' } as never)
  expect(await submitTo(json(402, error('videoInferenceInsufficientCredits')))).toMatchObject(refused)
  expect(await submitTo(json(429, {}))).toEqual({ ...refused, cause: 'answered 429 no code' } as never)
  expect(await submitTo(json(400, error('unsupportedDuration')))).toMatchObject(refused)
  expect(await submitTo(json(200, error('unsupportedDuration')))).toMatchObject(refused)
  expect(await submitTo(json(400, { error: { code: 'unsupportedDuration' }, taskUUID: id }))).toMatchObject(refused)
  expect(await submitTo(json(400, error('promptBlocked')))).toMatchObject({ outcome: 'refused', code: 'prompt_rejected' })
  const named = { taskUUID: id }
  expect(await submitTo(json(200, error('providerContentPolicyViolation', named)))).toMatchObject({ code: 'prompt_rejected' })
})

test('a Runware that can’t be reached was never asked', async () => {
  const provider = connectRunware({ url: 'http://127.0.0.1:1/v1', key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 })
  expect(await provider.submit(submission, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('a poll asks for one task, and reads its status', async () => {
  const url = 'https://vm.runware.ai/video/a.mp4'
  const { provider, asked } = answering(() => json(200, item({ status: 'success', videoURL: url, cost: 0.18 })))
  expect(await provider.poll([polled], signal)).toEqual([{ status: 'succeeded', outputUrl: url, billed: { microUsd: 180_000 } }])
  expect(asked).toEqual([{ authorization: 'Bearer the-key', path: '/v1', body: [{ taskType: 'getResponse', taskUUID: id }] }])
  expect(await pollOf(json(200, item({ status: 'processing', progress: 40 })))).toEqual(generating(40))
  expect(await pollOf(json(200, item({ status: 'scheduled' })))).toEqual({ status: 'running', unknownWord: 'scheduled' })
  for (const bad of [{}, { videoURL: 7 }, { videoURL: 'https://a.example/a b' }, { videoURL: 'ftp://a/b' }])
    expect(await pollOf(json(200, item({ status: 'success', ...bad })))).toEqual({
      status: 'running',
      unknownWord: 'success without a URL',
    })
})

test('a failure is an error of the task with its status; either list may hold it, with any status of HTTP', async () => {
  const failed = (cause: string, code = 'generation_failed') => ({ status: 'failed', code, cause: `failed: ${cause}` })
  const named = { taskUUID: id, status: 'error' }
  for (const status of [200, 400])
    expect(await pollOf(json(status, { data: [], ...error('timeoutProvider', named) }))).toEqual(failed('timeoutProvider') as never)
  expect(await pollOf(json(200, item({ status: 'error', error: { code: 'inferenceError' } })))).toEqual(failed('inferenceError') as never)
  expect(await pollOf(json(200, item({ status: 'error' })))).toEqual(failed('no code') as never)
  const moderated = (code: string) => pollOf(json(200, error(code, named)))
  expect(await moderated('providerContentPolicyViolation')).toMatchObject({ code: 'output_moderated' })
  expect(await moderated('imageBlocked')).toMatchObject({ code: 'prompt_rejected' })
})

/** Answers as runware.ai/docs/platform/task-polling and …/errors show them, about one task, in which only the id is ours. */
const onPages = {
  processing: { taskType: 'videoInference', taskUUID: id, status: 'processing' },
  success: {
    ...{ taskType: 'videoInference', taskUUID: id, status: 'success', videoUUID: 'b7db282d-2943-4f12-992f-77df3ad3ec71' },
    ...{ videoURL: 'https://im.runware.ai/video/ws/0.5/vi/b7db282d-2943-4f12-992f-77df3ad3ec71.mp4', cost: 0.18 },
  },
  failure: {
    ...{
      code: 'timeoutProvider',
      status: 'error',
      documentation: 'https://runware.ai/docs/en/video-inference/api-reference',
      taskUUID: id,
    },
    message: 'The external provider did not respond within the timeout window. The request was automatically terminated.',
  },
  refusal: {
    ...{ code: 'unsupportedDuration', parameter: 'duration', type: 'float', taskUUID: id, allowedValues: [6] },
    message: 'Invalid value for duration parameter. This duration is not supported by the model architecture.',
  },
  badKey: {
    ...{ code: 'invalidApiKey', parameter: 'apiKey', taskType: 'authentication' },
    message: 'Invalid API key. Get one at https://my.runware.ai/signup',
  },
}

test('the answers on Runware’s pages are read as those say, and a video is taken before a failure that stands beside it', async () => {
  const { processing, success, failure, refusal, badKey } = onPages
  const succeeded = { status: 'succeeded' as const, outputUrl: success.videoURL, billed: { microUsd: 180_000 } }
  expect(await pollOf(json(200, { data: [processing] }))).toEqual(generating())
  expect(await pollOf(json(200, { data: [success] }))).toEqual(succeeded)
  expect(await pollOf(json(200, { errors: [failure] }))).toMatchObject({ status: 'failed', code: 'generation_failed' })
  expect(await pollOf(json(200, { data: [processing, success], errors: [failure] }))).toEqual(succeeded)
  expect(await pollOf(json(200, { data: [processing], errors: [failure] }))).toEqual(generating())
  expect(await submitTo(json(400, { errors: [refusal] }))).toMatchObject({ outcome: 'refused', cause: 'answered 400 unsupportedDuration' })
  expect(await submitTo(json(401, { errors: [badKey] }))).toMatchObject({ outcome: 'refused', cause: 'answered 401 invalidApiKey' })
})

test('nothing is said of one that runs and of one that it never saw: neither is missing, and neither is found', async () => {
  const { provider } = answering(() => json(200, { data: [] }))
  expect(await provider.poll([polled], signal)).toEqual([{ status: 'running' }])
  expect(await provider.lookUp?.(attemptId, signal)).toBeUndefined()
  expect(await provider.identify(polled, signal)).toBeUndefined()
  expect(provider.capabilities.lookUp).toBe('own-id-if-found')
})

test('what says something of the call alone, or of another task, is no answer', async () => {
  const answers = [
    json(401, error('invalidApiKey', {})),
    json(400, error('invalidTaskUUID')),
    json(429, {}),
    json(500, error('internalServerError', {})),
    json(200, { data: [{ taskUUID: 'another', status: 'success', videoURL: 'https://a.example/a' }] }),
    json(200, { data: [{ status: 'success', videoURL: 'https://a.example/a' }] }),
    json(200, error('timeoutProvider', { taskUUID: 'another', status: 'error' })),
    json(404, { data: [] }),
    json(200, {}),
    ...['taskFailedOrNotFound', 'rateLimitExceeded', 'tokenExpired'].map(code => json(200, error(code, { taskUUID: id, status: 'error' }))),
    ...[401, 403, 429, 500].map(status => json(status, error('inferenceError', { taskUUID: id, status: 'error' }))),
  ]
  for (const answer of answers) {
    await expect(pollOf(answer)).rejects.toThrow(ProviderTrouble)
    const { provider } = answering(() => answer.clone() as Response)
    await expect(provider.lookUp?.(attemptId, signal)).rejects.toThrow(ProviderTrouble)
  }
})

test('one without an answer voids no other', async () => {
  let asked = 0
  const { provider } = answering(() => (asked++ === 0 ? json(500, {}) : json(200, item({ status: 'processing' }))))
  expect(await provider.poll([polled, polled], signal)).toContainEqual(generating())
})

test('a task is found by our id whatever became of it, and is told to be ours', async () => {
  for (const answer of [item({ status: 'processing' }), error('timeoutProvider', { taskUUID: id, status: 'error' })]) {
    const { provider } = answering(() => json(200, answer))
    expect(await provider.lookUp?.(attemptId, signal)).toBe(id)
    expect(await provider.identify(polled, signal)).toEqual({ attemptId })
  }
})

test('an output comes from the public internet, unless Runware is a stand-in on this machine', () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 }
  expect(connectRunware({ url: 'https://api.runware.ai/v1', ...bounds }).outputOrigins).toEqual([])
  expect(connectRunware({ url: 'http://127.0.0.1:4105/runware/v1', ...bounds }).outputOrigins).toEqual([
    { origin: 'http://127.0.0.1:4105' },
  ])
})

test('a key is checked by asking for a task that nobody sent', async () => {
  const checked = (answer: Response) => answering(() => answer.clone() as Response).provider.checkKey(signal)
  expect(await checked(json(200, { data: [] }))).toBe('accepted')
  for (const status of [401, 403]) expect(await checked(json(status, error('invalidApiKey', {})))).toBe('refused')
  for (const answer of [json(200, {}), json(500, error('internalServerError', {})), json(429, error('rateLimitExceeded', {}))])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})

test('what Runware says that it cost is told with the end, and what is no amount isn’t', async () => {
  const video = { status: 'success', videoURL: 'https://vm.runware.ai/a.mp4' }
  expect(await pollOf(json(200, item({ ...video, cost: 0.49 })))).toMatchObject({ status: 'succeeded', billed: { microUsd: 490_000 } })
  const failed = error('providerContentPolicyViolation', { taskUUID: id, status: 'error', cost: 0.084 })
  expect(await pollOf(json(400, failed))).toMatchObject({ code: 'output_moderated', billed: { microUsd: 84_000 } })
  expect(await pollOf(json(200, item({ status: 'processing', cost: 0.49 })))).toEqual(generating())
  for (const cost of [-0.49, 'free', null, 1e300, {}])
    expect(await pollOf(json(200, item({ ...video, cost })))).toEqual({ status: 'succeeded', outputUrl: video.videoURL })
})
