import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { MakerTrouble } from '../call'
import type { Submission } from '../connector'
import { generating, queued } from '../words/running'
import { connectReplicate } from './connect-replicate'

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** Replicate, answering everything so. */
function answering(status: number, body: unknown) {
  const requests: { call: string; authorization: string | null; body: unknown }[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { method, url, headers } = request
      const read = method === 'POST' ? await request.json() : null
      requests.push({ call: `${method} ${new URL(url).pathname}`, authorization: headers.get('authorization'), body: read })
      return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}/v1`
  return { connector: connectReplicate({ url, key: 'the-key', submitTimeoutMs: 1_000, readTimeoutMs: 1_000 }), requests }
}

const { signal } = new AbortController()
const id = 'gm3qorzdhgbfurvjtvhg6dckhu'
const image = { kind: MediaKind.IMAGE, field: 'image_url', index: 0, url: 'https://ours.example/a' }
const submission: Submission = {
  ...{
    attemptId: 'at_1',
    makerModel: 'bytedance/seedance-2.0-fast',
    media: [image],
    callbackUrl: 'https://api.example/hooks/replicate/at_1',
  },
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9' }),
  words: {
    words: {
      prompt: 'prompt',
      duration: 'duration',
      resolution: 'resolution',
      aspect_ratio: 'aspect_ratio',
      image_url: 'image',
      watermark: { values: { false: null } },
    },
    always: {},
  },
}
const prediction = (status: string, more: object = {}) => ({ id, status, output: null, error: null, ...more })
const polled = { attemptId: 'at_1', makerTaskId: id, makerModel: submission.makerModel, echoed: false }
const submitTo = (status: number, body: unknown) => answering(status, body).connector.submit(submission, signal)
const pollOf = async (status: number, body: unknown) => (await answering(status, body).connector.poll([polled], signal))[0]

test('a submit is a prediction of the model, with the order as its input and the address to call', async () => {
  const { connector, requests } = answering(201, prediction('starting'))
  expect(await connector.submit(submission, signal)).toEqual({ outcome: 'accepted', makerTaskId: id, echoed: false })
  expect(requests).toEqual([
    {
      ...{ call: 'POST /v1/models/bytedance/seedance-2.0-fast/predictions', authorization: 'Bearer the-key' },
      body: {
        input: { prompt: 'a boat', duration: 5, resolution: '720p', aspect_ratio: '16:9', image: 'https://ours.example/a' },
        ...{ webhook: submission.callbackUrl, webhook_events_filter: ['completed'] },
      },
    },
  ])
})

test.each<[number, unknown, object]>([
  [
    401,
    { title: 'Unauthenticated', detail: 'words', status: 401 },
    { outcome: 'refused', code: 'generation_unavailable', cause: 'answered 401' },
  ],
  [402, { title: 'Insufficient credit', detail: 'words' }, { outcome: 'refused', code: 'generation_unavailable', cause: 'answered 402' }],
  [422, { detail: 'was flagged as sensitive (E005)' }, { outcome: 'refused', code: 'prompt_rejected', cause: 'answered 422' }],
  [429, { detail: 'Request was throttled.' }, { outcome: 'refused', code: 'generation_unavailable', cause: 'answered 429' }],
  // Of somebody who stands between, and of Replicate where it broke: what became of the request is not known.
  [403, { message: 'no' }, { outcome: 'unknown', cause: 'answered 403' }],
  [502, { detail: 'words' }, { outcome: 'unknown', cause: 'answered 502' }],
  [409, { detail: 'words' }, { outcome: 'unknown', cause: 'answered 409' }],
  [201, { status: 'starting' }, { outcome: 'unknown', cause: 'answered 201 without an id' }],
  [201, { id: '../x', status: 'starting' }, { outcome: 'unknown', cause: 'answered 201 without an id' }],
])('a submit that is answered %d %o', async (status, body, outcome) => {
  expect(await submitTo(status, body)).toEqual(outcome as never)
})

const url = 'https://replicate.delivery/xezq/a/out.mp4'
const failed = (cause: string, code: 'generation_failed' | 'output_moderated' = 'generation_failed') =>
  ({ status: 'failed', code, cause }) as const

test.each<[number, unknown, object]>([
  [200, prediction('starting'), queued()],
  [200, prediction('processing'), generating()],
  [200, prediction('succeeded', { output: url }), { status: 'succeeded', outputUrl: url }],
  [200, prediction('succeeded', { output: [url] }), { status: 'succeeded', outputUrl: url }],
  // Its data is removed after an hour: the video was made all the same.
  [200, prediction('succeeded', { data_removed: true }), { status: 'running', unknownWord: 'succeeded without a URL' }],
  [200, prediction('succeeded', { output: 'ftp://a' }), { status: 'running', unknownWord: 'succeeded without a URL' }],
  [200, prediction('failed', { error: 'Prediction failed for a boat. (E1001)' }), failed('failed: E1001')],
  [
    200,
    prediction('failed', { error: 'The input or output was flagged as sensitive. (E005) (x)' }),
    failed('failed: E005', 'output_moderated'),
  ],
  [200, prediction('failed', { error: { a: 1 } }), failed('failed: no code')],
  [200, prediction('canceled'), failed('canceled')],
  [200, prediction('aborted'), failed('aborted')],
  [200, prediction('paused'), { status: 'running', unknownWord: 'paused' }],
  [404, { detail: 'The requested resource could not be found.', status: 404 }, { status: 'missing' }],
])('a poll that is answered %d %o', async (status, body, answer) => {
  expect(await pollOf(status, body)).toEqual(answer as never)
})

test('what is no answer about a prediction says nothing of it', async () => {
  for (const [status, body] of [
    [404, 'page not found'],
    [401, { detail: 'words' }],
    [429, { detail: 'words' }],
    [500, prediction('failed')],
    [200, { id }],
  ] as const)
    await expect(pollOf(status, body)).rejects.toThrow(MakerTrouble)
})

test('the key is asked about at the account, which costs nothing', async () => {
  const check = (status: number, body: unknown) => answering(status, body).connector.checkKey(signal)
  expect(await check(200, { type: 'user', username: 'us' })).toBe('accepted')
  expect([await check(401, { detail: 'words' }), await check(403, {})]).toEqual(['refused', 'refused'])
  for (const [status, body] of [
    [200, {}],
    [500, {}],
    [404, {}],
  ] as const)
    await expect(check(status, body)).rejects.toThrow(MakerTrouble)
})
