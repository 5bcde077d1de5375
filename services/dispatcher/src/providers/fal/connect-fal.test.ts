import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ProviderTrouble } from '../call'
import type { Connector } from '../connector'
import { generating, queued } from '../mapping/running'
import { connectFal } from './connect-fal'

type ProviderRequest = { method: string; path: string; authorization: string | null; body: unknown }
type Answers = Record<string, Response>

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** fal, answering each path as told, and everything else with 404. */
function answering(answers: Answers): { provider: Connector; asked: ProviderRequest[]; url: string } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'POST' ? await request.json() : undefined
      asked.push({ method: request.method, path: `${pathname}${search}`, authorization: request.headers.get('authorization'), body })
      const answer = answers[pathname]?.clone() as Response | undefined
      return answer ?? Response.json({ status: 'NOT_FOUND' }, { status: 404 })
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}`
  return { provider: connectFal({ url, key: 'id:secret', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), asked, url }
}

/** fal, answering the same to everything. */
const answeringAll = (answer: Response) => answering(new Proxy({}, { get: () => answer }))

const { signal } = new AbortController()
const model = 'fal-ai/kling-video/v3/pro/text-to-video'
const submission = {
  attemptId: 'at_1',
  providerModel: model,
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '1080p', aspectRatio: '16:9' }),
  mapping: {
    fields: {
      prompt: 'prompt',
      duration: { field: 'duration', quoted: true },
      resolution: { values: ['1080p'] },
      aspect_ratio: 'aspect_ratio',
      watermark: { values: { false: null } },
    },
    always: { generate_audio: false },
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/fal/at_1',
}
const json = (status: number, body: unknown) => Response.json(body, { status })
const submitTo = (answer: Response) => answering({ [`/${model}`]: answer }).provider.submit(submission, signal)
const detail = (type: string, ...loc: (string | number)[]) => ({ detail: [{ loc, msg: 'words', type }] })

const id = '024ca5b1-45d3-4afd-883e-ad3abe2a1c4d'
const polled = { attemptId: 'at_1', providerTaskId: id, providerModel: model, echoed: false }
const base = `/fal-ai/kling-video/requests/${id}`
const status = (word: string, more: object = {}) => json(200, { status: word, request_id: id, ...more })
const pollOf = async (answers: Answers) => (await answering(answers).provider.poll([polled], signal))[0]

test('a submit is the model’s input alone, on the model’s own path, with fal’s scheme of authorization and the callback in its query', async () => {
  const { provider, asked } = answering({ [`/${model}`]: json(200, { request_id: id, status: 'IN_QUEUE', queue_position: 0 }) })
  expect(await provider.submit(submission, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  expect(asked).toEqual([
    {
      method: 'POST',
      path: `/${model}?fal_webhook=https%3A%2F%2Fapi.example%2Fhooks%2Ffal%2Fat_1`,
      authorization: 'Key id:secret',
      body: { prompt: 'a boat', duration: '5', aspect_ratio: '16:9', generate_audio: false },
    },
  ])
})

test.each<[string, () => Response]>([
  ['an id that no URL can hold', () => json(200, { request_id: '../../x' })],
  ['no id', () => json(200, {})],
  ['a redirect', () => new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['408', () => json(408, {})],
  ['409', () => json(409, {})],
  ['499', () => json(499, {})],
  ['425', () => json(425, {})],
  ['500', () => json(500, { detail: 'Internal Server Error' })],
  ['503', () => json(503, { detail: 'x', error_type: 'runner_scheduling_failure' })],
  ['a page', () => new Response('<html>', { status: 400 })],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  expect(await submitTo(answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit whose request was not taken is refused: its key, its balance, its form, the rate, the content', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  expect(await submitTo(json(401, { detail: 'Cannot authenticate' }))).toMatchObject(refused)
  expect(await submitTo(json(403, { detail: 'User is locked. Reason: Exhausted balance.' }))).toMatchObject(refused)
  expect(await submitTo(json(404, { detail: 'Application "x" not found' }))).toMatchObject(refused)
  expect(await submitTo(json(429, { detail: 'x', error_type: 'concurrent_requests_limit' }))).toMatchObject({
    ...refused,
    cause: 'answered 429 concurrent_requests_limit',
  })
  expect(await submitTo(json(422, detail('enum', 'body', 'duration')))).toEqual({ ...refused, cause: 'answered 422 enum' } as never)
  expect(await submitTo(json(422, detail('file_download_error', 'body', 'image_url')))).toMatchObject({ ...refused, inputsUnread: true })
  expect(await submitTo(json(422, detail('content_policy_violation', 'body', 'prompt')))).toMatchObject({ code: 'prompt_rejected' })
})

test('a fal that can’t be reached was never asked', async () => {
  const provider = connectFal({ url: 'http://127.0.0.1:1', key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 })
  expect(await provider.submit(submission, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('status and result are asked for on the app’s path, the result only of what is completed', async () => {
  const { provider, asked } = answering({
    [`${base}/status`]: status('COMPLETED'),
    [base]: json(200, { video: { url: 'https://v3.fal.media/files/a.mp4' }, seed: 7 }),
  })
  expect(await provider.poll([polled], signal)).toEqual([{ status: 'succeeded', outputUrl: 'https://v3.fal.media/files/a.mp4' }])
  expect(asked.map(({ path, authorization }) => [path, authorization])).toEqual([
    [`${base}/status`, 'Key id:secret'],
    [base, 'Key id:secret'],
  ])
  const running = answering({ [`${base}/status`]: json(202, { status: 'IN_QUEUE', queue_position: 3 }) })
  expect(await running.provider.poll([polled], signal)).toEqual([queued(3)])
  expect(running.asked.length).toBe(1)
})

test('a word of status that we don’t know is running, and so is a completed one without a video', async () => {
  expect(await pollOf({ [`${base}/status`]: status('FAILED') })).toEqual({ status: 'running', unknownWord: 'FAILED' })
  const completed = { [`${base}/status`]: status('COMPLETED') }
  const without = { status: 'running' as const, unknownWord: 'COMPLETED without a video' }
  for (const body of [
    {},
    { video: null },
    { video: { url: 7 } },
    { video: { url: 'https://a.example/a b' } },
    { video: { url: 'ftp://a/b' } },
  ])
    expect(await pollOf({ ...completed, [base]: json(200, body) })).toEqual(without)
})

test('a failure is what the status or a model’s error says', async () => {
  const completed = { [`${base}/status`]: status('COMPLETED') }
  const failed = (code: string) => ({ status: 'failed', code })
  const broken = status('COMPLETED', { error: 'Runner disconnected', error_type: 'runner_disconnected' })
  expect(await pollOf({ [`${base}/status`]: broken, [base]: json(503, { detail: 'x', error_type: 'runner_disconnected' }) })).toEqual({
    ...{ status: 'failed', code: 'generation_failed', cause: 'completed with an error: runner_disconnected' },
  })
  const url = 'https://a.example/video.mp4'
  expect(await pollOf({ [`${base}/status`]: broken, [base]: json(200, { video: { url } }) })).toEqual({
    status: 'succeeded',
    outputUrl: url,
  })
  const told = (body: unknown) => pollOf({ ...completed, [base]: json(422, body) })
  expect(await told(detail('enum', 'body', 'duration'))).toMatchObject(failed('generation_failed'))
  expect(await told(detail('content_policy_violation', 'body'))).toMatchObject(failed('output_moderated'))
  expect(await told(detail('content_policy_violation', 'body', 'prompt'))).toMatchObject(failed('prompt_rejected'))
  expect(await told(detail('file_download_error', 'body', 'image_url'))).toMatchObject({ status: 'inputs-unread' })
})

test('what says something of the call alone is no verdict', async () => {
  const completed = { [`${base}/status`]: status('COMPLETED') }
  const answers: Response[] = [
    json(400, { detail: 'Request is still in progress' }),
    json(401, detail('value_error', 'body')),
    json(403, { detail: 'User is locked.' }),
    json(422, detail('uuid_parsing', 'path', 'request_id')),
    json(429, detail('value_error', 'body')),
    json(500, { detail: 'Internal Server Error' }),
    json(503, { detail: 'x', error_type: 'runner_disconnected' }),
  ]
  for (const answer of answers) expect(await pollOf({ ...completed, [base]: answer })).toBeUndefined()
})

test('an id that fal doesn’t know is missing; an answer of another kind, or about another request, is none', async () => {
  expect(await pollOf({})).toEqual({ status: 'missing' })
  for (const answer of [json(401, {}), json(429, {}), json(500, {}), json(200, {}), json(200, { status: 'IN_QUEUE', request_id: 'other' })])
    await expect(pollOf({ [`${base}/status`]: answer })).rejects.toThrow(ProviderTrouble)
})

test('one without an answer voids no other', async () => {
  const { provider } = answering({ [`${base}/status`]: status('IN_PROGRESS'), '/fal-ai/kling-video/requests/b/status': json(500, {}) })
  expect(await provider.poll([{ ...polled, providerTaskId: 'b' }, polled], signal)).toEqual([undefined, generating()])
})

test('whether an id is fal’s can be asked, and whose it is can’t: it repeats none of ours', async () => {
  const { provider } = answering({ [`${base}/status`]: status('IN_PROGRESS') })
  expect(await provider.identify(polled, signal)).toEqual({ attemptId: null })
  expect(await provider.identify({ ...polled, providerTaskId: 'unknown' }, signal)).toBeUndefined()
  expect(provider.lookUp).toBeUndefined()
})

test('an app in one of fal’s namespaces has one part more', async () => {
  const { provider, asked } = answering({})
  await provider.poll([{ ...polled, providerModel: 'workflows/owner/app/path' }], signal)
  expect(asked[0]?.path).toBe(`/workflows/owner/app/requests/${id}/status`)
})

test('an output comes from the public internet, unless fal is a stand-in on this machine', () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 }
  expect(connectFal({ url: 'https://queue.fal.run', ...bounds }).outputOrigins).toEqual([])
  expect(connectFal({ url: 'http://127.0.0.1:4105/fal', ...bounds }).outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by a status of a request that nobody made', async () => {
  const checked = async (answer: Response) => {
    const { provider, asked } = answeringAll(answer)
    const result = await provider.checkKey(signal)
    expect(asked).toMatchObject([{ method: 'GET', path: expect.stringMatching(/^\/fal-ai\/any\/requests\/[0-9a-f-]{36}\/status$/) }])
    return result
  }
  expect(await checked(json(404, { status: 'NOT_FOUND' }))).toBe('accepted')
  for (const status of [401, 403]) expect(await checked(json(status, { detail: 'no' }))).toBe('refused')
  for (const answer of [json(200, { status: 'IN_QUEUE' }), json(500, {}), json(429, {}), new Response('<html>', { status: 404 })])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})

test('what fal says that it charged is told with the end, whatever that is, and what is no number isn’t', async () => {
  const completed = { [`${base}/status`]: status('COMPLETED') }
  const video = { video: { url: 'https://v3.fal.media/files/a.mp4' } }
  const endWith = (units: string, body: unknown = video, code = 200) =>
    pollOf({ ...completed, [base]: Response.json(body, { status: code, headers: { 'X-Fal-Billable-Units': units } }) })
  const billed = { microUnits: 3_008_000 }
  expect(await endWith('3.008')).toMatchObject({ status: 'succeeded', billed })
  expect(await endWith('3.008', detail('content_policy_violation', 'body'), 422)).toMatchObject({ code: 'output_moderated', billed })
  expect(await endWith('3.008', detail('file_download_error', 'body', 'image_url'), 422)).toMatchObject({ status: 'inputs-unread', billed })
  expect(await endWith('0.0')).toMatchObject({ billed: { microUnits: 0 } })
  for (const odd of ['-8', 'NaN', '1e9', '']) expect(await endWith(odd)).toEqual({ status: 'succeeded', outputUrl: video.video.url })
})
