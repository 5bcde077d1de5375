import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ProviderTrouble } from '../call'
import type { Connector, Submission } from '../connector'
import { generating, queued } from '../mapping/running'
import { connectVidu } from './connect-vidu'

type ProviderRequest = { method: string; path: string; authorization: string | null; body: unknown }

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** Vidu, answering everything so. */
function answering(answer: (path: string) => Response): { provider: Connector; asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const body = request.method === 'POST' ? await request.json() : undefined
      asked.push({ method: request.method, path: pathname, authorization: request.headers.get('authorization'), body })
      return answer(pathname)
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}`
  return { provider: connectVidu({ url, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), asked }
}

const { signal } = new AbortController()
const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
const id = '942602832110972928'
const submission: Submission = {
  attemptId,
  providerModel: 'img2video/viduq3-turbo',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '1080p', aspectRatio: 'adaptive', generateAudio: false }),
  mapping: {
    fields: {
      prompt: 'prompt',
      duration: { field: 'duration', min: 1, max: 16 },
      resolution: { field: 'resolution', values: ['1080p'] },
      aspect_ratio: { values: { adaptive: null } },
      generate_audio: 'audio',
      watermark: { values: { false: null } },
      image_url: 'images.first',
      end_image_url: 'images.last',
      reference_image_urls: { field: 'images', items_max: 7 },
    },
    always: { off_peak: false },
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/vidu/at_1',
}
const handed = (field: string, index = 0) => ({ kind: MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` })
const json = (status: number, body: unknown) => Response.json(body, { status })
const submitTo = (answer: Response) => answering(() => answer.clone() as Response).provider.submit(submission, signal)
const polled = { attemptId, providerTaskId: id, providerModel: submission.providerModel, echoed: true }
const pollOf = async (answer: Response, changes: object = {}) =>
  (await answering(() => answer.clone() as Response).provider.poll([{ ...polled, ...changes }], signal))[0]
const error = (code: number, reason: string) => json(code, { code, reason, message: 'words', metadata: { trace_id: 'x' } })
const task = (more: object) => json(200, { id, payload: attemptId, err_code: '', creations: [], ...more })

test('a submit goes to the path of its route, with our id to carry, in Vidu’s scheme of authorization', async () => {
  const { provider, asked } = answering(() => json(200, { task_id: id, state: 'created', payload: attemptId, credits: 60 }))
  expect(await provider.submit({ ...submission, media: [handed('image_url')] }, signal)).toEqual({
    ...{ outcome: 'accepted', providerTaskId: id, echoed: true },
  })
  expect(asked).toEqual([
    {
      ...{ method: 'POST', path: '/ent/v2/img2video', authorization: 'Token the-key' },
      body: {
        ...{ model: 'viduq3-turbo', off_peak: false, prompt: 'a boat', duration: 5, resolution: '1080p', audio: false },
        ...{ images: ['https://ours.example/image_url/0'], payload: attemptId, callback_url: 'https://api.example/hooks/vidu/at_1' },
      },
    },
  ])
})

test('frames are one list, the first before the last, and references another', async () => {
  const imagesOf = async (...media: Submission['media']) => {
    const { provider, asked } = answering(() => json(200, { task_id: id }))
    await provider.submit({ ...submission, media, callbackUrl: undefined }, signal)
    return (asked[0]?.body as { images?: string[] } | undefined)?.images
  }
  expect(await imagesOf(handed('end_image_url'), handed('image_url'))).toEqual([
    ...['https://ours.example/image_url/0', 'https://ours.example/end_image_url/0'],
  ])
  expect(await imagesOf(handed('reference_image_urls', 1), handed('reference_image_urls', 0))).toEqual([
    ...['https://ours.example/reference_image_urls/0', 'https://ours.example/reference_image_urls/1'],
  ])
  expect(await imagesOf()).toBeUndefined()
  await expect(answering(() => json(200, {})).provider.submit({ ...submission, providerModel: 'viduq3-turbo' }, signal)).rejects.toThrow()
})

test('an answer that carries nothing of ours is an acceptance that is not repeated', async () => {
  for (const payload of [{}, { payload: '' }])
    expect(await submitTo(json(200, { task_id: id, ...payload }))).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
})

test.each<[string, () => Response]>([
  ['another id of ours', () => json(200, { task_id: id, payload: 'at_another' })],
  ['no id', () => json(200, { state: 'created' })],
  ['an id that no URL can hold', () => json(200, { task_id: '../../x' })],
  ['an id that is a number, of which some digits may be lost', () => json(200, { task_id: 942602832110972 })],
  ['nothing', () => json(200, {})],
  ['a request that is in process', () => error(400, 'OperationInProcess')],
  ['a withheld video', () => error(400, 'CreationPolicyViolation')],
  ['a cancellation', () => error(400, 'UserCancelled')],
  ['a reason that nobody knows', () => error(400, 'SomethingNew')],
  ['400 without a reason', () => json(400, {})],
  ['408', () => error(408, 'Timeout')],
  ['409', () => error(409, 'Conflict')],
  ['422', () => error(422, 'FieldInvalid')],
  ['499', () => error(499, 'Canceled')],
  ['500', () => error(500, 'InternalServiceFailure')],
  ['503', () => json(503, {})],
  ['a redirect', () => new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['a page', () => new Response('<html>', { status: 400 })],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  expect(await submitTo(answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit of which no task was made is refused: its key, its balance, its form, the rate, the content', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  expect(await submitTo(error(401, 'Unauthorized'))).toMatchObject({ ...refused, cause: 'answered 401 Unauthorized' } as never)
  expect(await submitTo(error(403, 'Forbidden'))).toMatchObject(refused)
  expect(await submitTo(error(404, 'NotFound'))).toMatchObject(refused)
  expect(await submitTo(json(429, {}))).toEqual({ ...refused, cause: 'answered 429 no reason' } as never)
  for (const reason of ['CreditInsufficient', 'FieldInvalid', 'FieldLacking', 'PageSizeOutOfRange', 'ModelUnavailable'])
    expect(await submitTo(error(400, reason))).toMatchObject(refused)
  expect(await submitTo(error(400, 'ImageDownloadFailure'))).toMatchObject({ ...refused, inputsUnread: true })
  for (const reason of ['AuditSubmitIllegal', 'TaskPromptPolicyViolation'])
    expect(await submitTo(error(400, reason))).toMatchObject({ outcome: 'refused', code: 'prompt_rejected' })
})

test('a Vidu that can’t be reached was never asked', async () => {
  const provider = connectVidu({ url: 'http://127.0.0.1:1', key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 })
  expect(await provider.submit(submission, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('a poll asks for one task, and reads its state', async () => {
  const url = 'https://video.cf.vidu.com/infer_28/tasks/26/0417/05/942602832110972928/creation-01/video.mp4'
  const { provider, asked } = answering(() => task({ state: 'success', creations: [{ id: 'c', url, cover_url: '', watermarked_url: '' }] }))
  expect(await provider.poll([polled], signal)).toEqual([{ status: 'succeeded', outputUrl: url }])
  expect(asked).toEqual([{ method: 'GET', path: `/ent/v2/tasks/${id}/creations`, authorization: 'Token the-key', body: undefined }])
  for (const state of ['created', 'queueing', 'processing'])
    expect(await pollOf(task({ state }))).toEqual(state === 'processing' ? generating() : queued())
  expect(await pollOf(task({ state: 'scheduled' }))).toEqual({ status: 'running', unknownWord: 'scheduled' })
  for (const creations of [undefined, null, [], [{}], [{ url: 7 }], [{ url: 'https://a.example/a b' }], [{ url: 'ftp://a/b' }]])
    expect(await pollOf(task({ state: 'success', creations }))).toEqual({ status: 'running', unknownWord: 'success without a URL' })
})

test('a failure is what its code says', async () => {
  const failed = (err_code: unknown) => pollOf(task({ state: 'failed', err_code }))
  expect(await failed('InternalServiceFailure')).toEqual({
    ...{ status: 'failed', code: 'generation_failed', cause: 'failed: InternalServiceFailure' },
  })
  for (const none of ['', undefined, 7, 'words\u0000'])
    expect(await failed(none)).toMatchObject({ code: 'generation_failed', cause: 'failed: no err_code' })
  expect(await failed('CreationPolicyViolation')).toMatchObject({ status: 'failed', code: 'output_moderated' })
  expect(await failed('TaskPromptPolicyViolation')).toMatchObject({ status: 'failed', code: 'prompt_rejected' })
  expect(await failed('ImageDownloadFailure')).toMatchObject({ status: 'inputs-unread' })
})

/** Answers as platform.vidu.com/docs/get-generation and …/cancel-generation show them. */
test('the answers on Vidu’s pages are read as those say', async () => {
  const creations = [{ id: 'your_creations_id', url: 'your_generated_results_url', cover_url: 'your_generated_results_cover_url' }]
  const onPage = { state: 'success', err_code: '', credits: 4, payload: '', bgm: false, off_peak: false, creations }
  expect(await pollOf(json(200, onPage), { echoed: false })).toEqual({ status: 'running', unknownWord: 'success without a URL' })
  const [creation] = creations
  const whole = {
    ...onPage,
    creations: [{ ...creation, url: 'https://prod-ss-vidu.s3.cn-northwest-1.amazonaws.com.cn/a.mp4?X-Amz-Date=1' }],
  }
  expect(await pollOf(json(200, whole), { echoed: false })).toMatchObject({ status: 'succeeded' })
  const refusal = { code: 400, reason: 'BadRequest', message: 'task state is scheduled, can not cancel', metadata: { trace_id: '04e5' } }
  await expect(pollOf(json(400, refusal))).rejects.toThrow(ProviderTrouble)
})

test('an id that Vidu doesn’t know, and a task that carries another’s id or no longer ours, are missing', async () => {
  expect(await pollOf(error(404, 'TaskNotFound'))).toEqual({ status: 'missing' })
  for (const payload of ['at_another', '', undefined])
    expect(await pollOf(task({ state: 'success', payload }))).toEqual({ status: 'missing' })
  expect(await pollOf(task({ state: 'processing', payload: '' }), { echoed: false })).toEqual(generating())
})

test('what says something of the call alone, or of another task, is no answer', async () => {
  const answers = [
    ...[
      error(401, 'Unauthorized'),
      error(404, 'NotFound'),
      json(404, {}),
      error(429, 'TooManyRequests'),
      error(500, 'InternalServiceFailure'),
    ],
    ...[json(200, {}), json(200, []), task({ id: 'another', state: 'success' }), task({ state: 7 }), new Response('<html>')],
  ]
  for (const answer of answers) await expect(pollOf(answer)).rejects.toThrow(ProviderTrouble)
})

test('one without an answer voids no other', async () => {
  const { provider } = answering(path => (path.includes('/b/') ? json(500, {}) : task({ state: 'processing' })))
  expect(await provider.poll([{ ...polled, providerTaskId: 'b' }, polled], signal)).toEqual([undefined, generating()])
})

test('whose task an id is can be asked', async () => {
  const identified = (answer: Response) => answering(() => answer.clone() as Response).provider.identify(polled, signal)
  expect(await identified(task({ state: 'processing' }))).toEqual({ attemptId })
  expect(await identified(task({ state: 'processing', payload: '' }))).toEqual({ attemptId: null })
  for (const payload of ['words\u0000', 'x'.repeat(101)])
    expect(await identified(task({ state: 'processing', payload }))).toEqual({ attemptId: 'no id of ours' })
  expect(await identified(error(404, 'TaskNotFound'))).toBeUndefined()
  await expect(identified(error(500, 'InternalServiceFailure'))).rejects.toThrow(ProviderTrouble)
})

test('an output comes from the public internet, unless Vidu is a stand-in on this machine', () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 }
  expect(connectVidu({ url: 'https://api.vidu.com', ...bounds }).outputOrigins).toEqual([])
  expect(connectVidu({ url: 'http://127.0.0.1:4105/vidu', ...bounds }).outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by asking for the account’s credits', async () => {
  const checked = async (answer: Response) => {
    const { provider, asked } = answering(() => answer.clone() as Response)
    const result = await provider.checkKey(signal)
    expect(asked).toMatchObject([{ method: 'GET', path: '/ent/v2/credits', authorization: 'Token the-key' }])
    return result
  }
  expect(await checked(json(200, { remains: [{ type: 'metered', credit_remain: 1 }], packages: [] }))).toBe('accepted')
  for (const status of [401, 403]) expect(await checked(error(status, 'Unauthorized'))).toBe('refused')
  for (const answer of [json(200, {}), error(404, 'NotFound'), error(429, 'TooManyRequests'), error(500, 'InternalServiceFailure')])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})
