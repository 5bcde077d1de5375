import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { signal, submission } from '../../testing/drive-fake'
import { ProviderTrouble } from '../call'
import type { Connector } from '../connector'
import { generating, queued } from '../mapping/running'
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
  return { connector: connectReplicate({ url, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), requests }
}

const id = 'gm3qorzdhgbfurvjtvhg6dckhu'
const image = { kind: MediaKind.IMAGE, field: 'image_url', index: 0, url: 'https://ours.example/a' }
const order = {
  model: 'beta-2.0-fast',
  mode: 'image-to-video',
  prompt: 'a boat',
  durationSeconds: 5,
  resolution: '720p',
  aspectRatio: '16:9',
}
const callbackUrl = 'https://api.example/hooks/replicate/at_1'
const submit = (connector: Connector) =>
  connector.submit({ ...submission(connector, create(OrderSchema, { ...order, inputs: [image] }), [image]), callbackUrl }, signal)
const prediction = (status: string, more: object = {}) => ({ id, status, output: null, error: null, ...more })
const polled = { attemptId: 'at_1', providerTaskId: id, providerModel: 'bytedance/seedance-2.0-fast', echoed: false }
const pollOf = async (status: number, body: unknown) => (await answering(status, body).connector.poll([polled], signal))[0]

test('a submit is a prediction of the model, with the order as its input and the address to call', async () => {
  const { connector, requests } = answering(201, prediction('starting'))
  expect(await submit(connector)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  expect(requests).toEqual([
    {
      ...{ call: 'POST /v1/models/bytedance/seedance-2.0-fast/predictions', authorization: 'Bearer the-key' },
      body: {
        input: { prompt: 'a boat', duration: 5, resolution: '720p', aspect_ratio: '16:9', image: 'https://ours.example/a' },
        ...{ webhook: callbackUrl, webhook_events_filter: ['completed'] },
      },
    },
  ])
})

test.each<[number, unknown, string]>([
  [401, { title: 'Unauthenticated', detail: 'words', status: 401 }, 'refused generation_unavailable answered 401 key_refused'],
  [402, { title: 'Insufficient credit', detail: 'words' }, 'refused generation_unavailable answered 402 no_balance'],
  [422, { detail: 'was flagged as sensitive (E005)' }, 'refused prompt_rejected answered 422'],
  [429, { detail: 'Request was throttled.' }, 'refused generation_unavailable answered 429'],
  // Of somebody who stands between: a 403 went no further, of a 400 that is not known.
  [403, { message: 'no' }, 'refused generation_unavailable answered 403'],
  [400, { message: 'no' }, 'unknown answered 400'],
  [502, { detail: 'words' }, 'unknown answered 502'],
  [409, { detail: 'words' }, 'unknown answered 409'],
  [201, { status: 'starting' }, 'unknown answered 201 without an id'],
  [201, { id: '../x', status: 'starting' }, 'unknown answered 201 without an id'],
])('a submit that is answered %d %o is %s', async (status, body, expected) => {
  expect(Object.values(await submit(answering(status, body).connector)).join(' ')).toBe(expected)
})

const url = 'https://replicate.delivery/xezq/a/out.mp4'

test.each<[string, object, string]>([
  ['succeeded', { output: url }, `succeeded ${url}`],
  ['succeeded', { output: [url] }, `succeeded ${url}`],
  // Its data is removed after an hour: the video was made all the same.
  ['succeeded', { data_removed: true }, 'running succeeded without a URL'],
  ['succeeded', { output: 'ftp://a' }, 'running succeeded without a URL'],
  ['failed', { error: 'Prediction failed for a boat. (E1001)' }, 'failed generation_failed failed: E1001'],
  ['failed', { error: 'The input or output was flagged as sensitive. (E005) (x)' }, 'failed output_moderated failed: E005'],
  ['failed', { error: { a: 1 } }, 'failed generation_failed failed: no code'],
  ['canceled', {}, 'cancelled canceled'],
  ['aborted', {}, 'cancelled aborted'],
  ['paused', {}, 'running paused'],
])('a poll that is told %s %o is %s', async (status, more, expected) => {
  expect(Object.values((await pollOf(200, prediction(status, more))) ?? {}).join(' ')).toBe(expected)
})

test('what waits and what is made are told apart, and one that nobody knows is missing', async () => {
  const answers = [pollOf(200, prediction('starting')), pollOf(200, prediction('processing')), pollOf(404, { detail: 'words' })]
  expect(await Promise.all(answers)).toEqual([queued(), generating(), { status: 'missing' }])
})

test('what is no answer about a prediction says nothing of it', async () => {
  const polls = [
    pollOf(404, { message: 'no page' }),
    pollOf(401, { detail: 'words' }),
    pollOf(429, {}),
    pollOf(500, {}),
    pollOf(200, { id }),
  ]
  const answers = polls.map(poll => poll.catch((error: unknown) => error instanceof ProviderTrouble))
  expect(await Promise.all(answers)).toEqual(polls.map(() => true))
})
