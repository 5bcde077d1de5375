import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ProviderTrouble } from '../call'
import type { Connector, Submission } from '../connector'
import { generating, queued } from '../mapping/running'
import { connectDashScope } from './connect-dashscope'

type ProviderRequest = { method: string; path: string; headers: Record<string, string | null>; body: unknown }

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

const watched = ['authorization', 'x-dashscope-async', 'content-type']

/** DashScope, answering everything so. */
function answering(answer: () => Response): { provider: Connector; asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { method } = request
      const headers = Object.fromEntries(watched.map(name => [name, request.headers.get(name)]))
      const body = method === 'POST' ? await request.json() : undefined
      asked.push({ method, path: new URL(request.url).pathname, headers, body })
      return answer()
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}/api/v1`
  return { provider: connectDashScope({ url, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), asked }
}

const { signal } = new AbortController()
const id = '0385dc79-5ff8-4d82-bcb6-7c1a9f2e4d60'
const submission: Submission = {
  attemptId: 'at_1',
  providerModel: 'wan3.0-video',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '720p', aspectRatio: 'adaptive', watermark: false }),
  mapping: {
    fields: {
      prompt: { field: 'input.prompt', characters_max: 20_000 },
      duration: { field: 'parameters.duration', min: 2, max: 30 },
      resolution: { field: 'parameters.resolution', values: { '720p': '720P' } },
      aspect_ratio: { field: 'parameters.ratio', values: ['adaptive'] },
      watermark: 'parameters.watermark',
      image_url: 'input.media.first_frame',
      end_image_url: 'input.media.last_frame',
      reference_image_urls: { field: 'input.media.reference_image', items_max: 10 },
    },
    always: { 'parameters.prompt_extend': true },
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/dashscope/at_1',
}
const json = (status: number, body: unknown) => Response.json(body, { status })
const submitTo = (answer: Response) => answering(() => answer.clone() as Response).provider.submit(submission, signal)
const fault = (code: string, message = 'words') => ({ code, message, request_id: 'r' })

const polled = { attemptId: 'at_1', providerTaskId: id, providerModel: submission.providerModel, echoed: false }
const task = (task_status: string, more: object = {}) => ({ request_id: 'r', output: { task_id: id, task_status, ...more } })
const pollOf = async (answer: Response) => (await answering(() => answer.clone() as Response).provider.poll([polled], signal))[0]
const told = (task_status: string, more: object = {}) => pollOf(json(200, task(task_status, more)))

test('a submit is its input and its parameters, asked for asynchronously, with nothing of ours to call back', async () => {
  const { provider, asked } = answering(() => json(200, { request_id: 'r', output: { task_status: 'PENDING', task_id: id } }))
  expect(await provider.submit(submission, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  expect(asked).toEqual([
    {
      ...{ method: 'POST', path: '/api/v1/services/aigc/video-generation/video-synthesis' },
      headers: { authorization: 'Bearer the-key', 'x-dashscope-async': 'enable', 'content-type': 'application/json' },
      body: {
        model: 'wan3.0-video',
        input: { prompt: 'a boat' },
        parameters: { prompt_extend: true, duration: 5, resolution: '720P', ratio: 'adaptive', watermark: false },
      },
    },
  ])
})

test('media are entries of one list, in which each kind keeps the order of the request', async () => {
  const { provider, asked } = answering(() => json(200, { output: { task_id: id } }))
  const handed = (field: string, index = 0) => ({ kind: MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` })
  const media = ['image_url', 'end_image_url'].map(field => handed(field))
  await provider.submit({ ...submission, media: [...media, handed('reference_image_urls', 1), handed('reference_image_urls')] }, signal)
  expect(asked[0]?.body).toMatchObject({
    input: {
      prompt: 'a boat',
      media: [
        { type: 'first_frame', url: 'https://ours.example/image_url/0' },
        { type: 'last_frame', url: 'https://ours.example/end_image_url/0' },
        { type: 'reference_image', url: 'https://ours.example/reference_image_urls/0' },
        { type: 'reference_image', url: 'https://ours.example/reference_image_urls/1' },
      ],
    },
  })
})

test('a route that names a place which DashScope doesn’t have is a programmer’s mistake', async () => {
  for (const field of ['prompt', 'inputs.prompt', 'parameters.media.prompt', 'input.media.prompt.url']) {
    const { provider, asked } = answering(() => json(200, {}))
    const mapping = { fields: { ...submission.mapping?.fields, prompt: field }, always: {} }
    await expect(provider.submit({ ...submission, mapping }, signal)).rejects.toThrow(`no place ${field}`)
    expect(asked).toEqual([])
  }
})

test.each<[string, () => Response]>([
  ['no id', () => json(200, { request_id: 'r', output: { task_status: 'PENDING' } })],
  ['an id that no URL can hold', () => json(200, { output: { task_id: '../../x', task_status: 'PENDING' } })],
  ['an error with 200', () => json(200, fault('InvalidParameter'))],
  ['an error beside an id', () => json(400, { ...fault('InvalidParameter'), output: { task_id: id } })],
  ['an error without a code', () => json(400, { message: 'words' })],
  ['an error of a gateway', () => json(400, { error: 'blocked' })],
  ['a code that is none', () => json(400, fault('Invalid parameter!'))],
  ['a fault of its own with 400', () => json(400, fault('InternalError.Algo'))],
  ['the same, as others of its hosts write it', () => json(400, { error: { code: 'internal_error', message: 'words' } })],
  ['a time-out with 400', () => json(400, fault('RequestTimeOut'))],
  ['408', () => json(408, fault('RequestTimeOut'))],
  ['409', () => json(409, fault('InvalidParameter'))],
  ['499', () => json(499, fault('InvalidParameter'))],
  ['500', () => json(500, fault('InvalidParameter'))],
  ['503', () => json(503, fault('ModelUnavailable'))],
  ['a redirect', () => new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['a page', () => new Response('<html>', { status: 400 })],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  expect(await submitTo(answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit whose task was not made is refused: its key, its account, its model, the rate, its inputs, the content', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' } as const
  const cases: [number, unknown, string][] = [
    [401, fault('InvalidApiKey', 'Invalid API-key provided.'), 'answered 401 InvalidApiKey'],
    [401, { error: { code: 'invalid_api_key', message: 'Incorrect API key provided. ' } }, 'answered 401 invalid_api_key'],
    [400, fault('Arrearage'), 'answered 400 Arrearage'],
    [403, fault('AccessDenied.Unpurchased'), 'answered 403 AccessDenied.Unpurchased'],
    [400, fault('InvalidParameter', 'Model not exist.'), 'answered 400 InvalidParameter'],
    [404, fault('ModelNotFound'), 'answered 404 ModelNotFound'],
    [429, fault('Throttling.RateQuota'), 'answered 429 Throttling.RateQuota'],
  ]
  for (const [status, body, cause] of cases) expect(await submitTo(json(status, body))).toMatchObject({ ...refused, cause })
  const unread = fault('InvalidParameter', 'Download the media resource timed out during the data inspection process.')
  expect(await submitTo(json(400, unread))).toMatchObject({ ...refused, inputsUnread: true })
  expect(await submitTo(json(400, fault('InvalidURL.Timeout')))).toMatchObject({ ...refused, inputsUnread: true })
  for (const code of ['DataInspectionFailed', 'data_inspection_failed', 'DataInspectionFailed.Input', 'IPInfringementSuspect'])
    expect(await submitTo(json(400, fault(code)))).toMatchObject({ outcome: 'refused', code: 'prompt_rejected' })
})

test('a DashScope that can’t be reached was never asked', async () => {
  const provider = connectDashScope({ url: 'http://127.0.0.1:1/api/v1', key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 })
  expect(await provider.submit(submission, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('a poll asks for one task, without the header of a submit, and reads its word', async () => {
  const url = 'https://dashscope-result-sh.oss-accelerate.aliyuncs.com/a.mp4?Expires=1'
  const { provider, asked } = answering(() => json(200, task('SUCCEEDED', { video_url: url })))
  expect(await provider.poll([polled], signal)).toEqual([{ status: 'succeeded', outputUrl: url }])
  const headers = { authorization: 'Bearer the-key', 'x-dashscope-async': null, 'content-type': null }
  expect(asked).toEqual([{ method: 'GET', path: `/api/v1/tasks/${id}`, headers, body: undefined }])
  for (const word of ['PENDING', 'RUNNING', 'SUSPENDED']) expect(await told(word)).toEqual(word === 'RUNNING' ? generating() : queued())
  for (const word of ['QUEUED', 'CANCELLED', 'succeeded', '']) expect(await told(word)).toEqual({ status: 'running', unknownWord: word })
  for (const bad of [{}, { video_url: 7 }, { video_url: 'https://a.example/a b' }, { video_url: 'ftp://a/b' }])
    expect(await told('SUCCEEDED', bad)).toEqual({ status: 'running', unknownWord: 'SUCCEEDED without a URL' })
})

test('UNKNOWN is no verdict: the provider can’t tell, or knows no such id', async () => {
  expect(await told('UNKNOWN')).toEqual({ status: 'missing' })
  expect(await pollOf(json(200, { output: { task_status: 'UNKNOWN' } }))).toEqual({ status: 'missing' })
})

test('a failure is told by its code, at the root or beside the status, or by none', async () => {
  const failed = (cause: string) => ({ status: 'failed', code: 'generation_failed', cause }) as const
  expect(await told('FAILED', fault('InvalidParameter'))).toEqual(failed('failed: InvalidParameter'))
  expect(await told('FAILED', { code: 'x y' })).toEqual(failed('failed: no code'))
  expect(await told('FAILED')).toEqual(failed('failed: no code'))
  const both = { ...task('FAILED', fault('InvalidParameter')), ...fault('InternalError.Timeout') }
  expect(await pollOf(json(200, both))).toEqual(failed('failed: InternalError.Timeout'))
  expect(await pollOf(json(200, { ...both, code: '' }))).toEqual(failed('failed: InvalidParameter'))
  expect(await told('CANCELED')).toEqual({ status: 'cancelled', cause: 'canceled there' })
  expect(await told('FAILED', fault('BadRequest.InputDownloadFailed'))).toMatchObject({ status: 'inputs-unread' })
})

test('a failure for its content says which content, where the provider says it', async () => {
  const cases: [string, string, string][] = [
    ['DataInspectionFailed', 'Input data may contain inappropriate content.', 'prompt_rejected'],
    ['DataInspectionFailed', 'Output data may contain inappropriate content.', 'output_moderated'],
    ['DataInspectionFailed', 'Input or output data may contain inappropriate content.', 'output_moderated'],
    ['DataInspectionFailed.Input', '', 'prompt_rejected'],
    ['DataInspectionFailed.Output', '', 'output_moderated'],
    ['IPInfringementSuspect', 'Input data is suspected of being involved in IP infringement.', 'prompt_rejected'],
    ['CustomRoleBlocked', 'Input or output data may contain inappropriate content with custom rule.', 'output_moderated'],
  ]
  for (const [code, message, wanted] of cases)
    expect(await told('FAILED', { code, message })).toEqual({ status: 'failed', code: wanted as never, cause: `failed: ${code}` })
})

/** Answers as Model Studio's pages of Wan show them, in which only the id is ours. */
test('the answers on the provider’s pages are read as those say', async () => {
  const output = { submit_time: '2025-09-25 11:07:28.590', scheduled_time: '2025-09-25 11:07:35.349', end_time: '2025-09-25 11:17:11.650' }
  const video_url = 'https://dashscope-result-sh.oss-cn-shanghai.aliyuncs.com/xxx.mp4?Expires=xxx'
  const usage = { duration: 10, input_video_duration: 0, output_video_duration: 10, video_count: 1, SR: 720 }
  const done = { ...task('SUCCEEDED', { ...output, orig_prompt: 'words', video_url }), usage }
  expect(await pollOf(json(200, done))).toEqual({ status: 'succeeded', outputUrl: video_url, billed: { microUnits: 10_000_000 } })
  const failure = { code: 'InvalidParameter', message: 'The size is not match xxxxxx' }
  expect(await told('FAILED', failure)).toMatchObject({ status: 'failed', code: 'generation_failed' })
  const refusal = { code: 'InvalidApiKey', message: 'No API-key provided.', request_id: '7438d53d-6eb8-4596-8835-xxxxxx' }
  expect(await submitTo(json(401, refusal))).toMatchObject({ outcome: 'refused', cause: 'answered 401 InvalidApiKey' })
})

test('what says something of the call alone, or of another task, is no answer', async () => {
  const answers = [
    json(401, fault('InvalidApiKey')),
    json(404, fault('NotFound')),
    json(429, fault('Throttling.RateQuota')),
    json(500, fault('InternalError')),
    json(200, fault('InvalidParameter')),
    json(200, { output: {} }),
    json(200, {}),
    json(202, task('SUCCEEDED', { video_url: 'https://a.example/a' })),
    json(200, { output: { task_id: 'another', task_status: 'SUCCEEDED', video_url: 'https://a.example/a' } }),
  ]
  for (const answer of answers) await expect(pollOf(answer)).rejects.toThrow(ProviderTrouble)
})

test('one without an answer voids no other', async () => {
  let asked = 0
  const { provider } = answering(() => (asked++ === 0 ? json(500, {}) : json(200, task('RUNNING'))))
  expect(await provider.poll([polled, polled], signal)).toContainEqual(generating())
})

test('an account’s queries are half of those that it may make in a second', () => {
  const { provider } = answering(() => json(200, task('RUNNING')))
  expect(provider.budget.perSecond).toBe(10)
})

test('whether an id is the provider’s can be asked, and whose it is can’t: it repeats none of ours', async () => {
  const identified = (answer: Response) => answering(() => answer.clone() as Response).provider.identify(polled, signal)
  expect(await identified(json(200, task('FAILED')))).toEqual({ attemptId: null })
  expect(await identified(json(200, task('UNKNOWN')))).toBeUndefined()
  await expect(identified(json(500, {}))).rejects.toThrow(ProviderTrouble)
  expect(answering(() => json(200, {})).provider.lookUp).toBeUndefined()
})

test('an output comes from the public internet, unless DashScope is a stand-in on this machine', () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 }
  expect(connectDashScope({ url: 'https://dashscope.aliyuncs.com/api/v1', ...bounds }).outputOrigins).toEqual([])
  const own = connectDashScope({ url: 'http://127.0.0.1:4105/dashscope/api/v1', ...bounds })
  expect(own.outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by asking for a task that nobody made', async () => {
  const checked = async (answer: Response) => {
    const { provider, asked } = answering(() => answer.clone() as Response)
    const result = await provider.checkKey(signal)
    expect(asked).toMatchObject([{ method: 'GET', path: expect.stringMatching(/^\/api\/v1\/tasks\/[0-9a-f-]{36}$/) }])
    return result
  }
  expect(await checked(json(200, { output: { task_status: 'UNKNOWN' } }))).toBe('accepted')
  for (const status of [401, 403]) expect(await checked(json(status, fault('InvalidApiKey')))).toBe('refused')
  for (const answer of [json(200, {}), json(400, fault('Arrearage')), json(500, {}), json(429, fault('Throttling'))])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})
