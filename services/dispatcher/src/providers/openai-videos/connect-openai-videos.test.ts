import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { newAttemptId } from '../../testing/attempt-id'
import { signal } from '../../testing/drive-fake'
import { ProviderTrouble } from '../call'
import { generating, queued } from '../mapping/running'
import { connectOpenAiVideos } from './connect-openai-videos'

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** A gateway, answering everything so. */
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
  const connector = connectOpenAiVideos({ url: `${url}/`, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 })
  return { url, connector, requests, submit: () => connector.submit(submission, signal) }
}

const image = { kind: MediaKind.IMAGE, field: 'image_url', index: 0, url: 'https://ours.example/a' }
const order = { model: 'gamma-3.1-fast', mode: 'image-to-video', prompt: 'a boat', durationSeconds: 8, resolution: '720p' }
/** As a route of an operator's own says it. */
const fields = {
  prompt: 'prompt',
  duration: { field: 'seconds', quoted: true },
  resolution: { field: 'metadata.resolution' },
  aspect_ratio: { field: 'size', values: { '9:16': '720x1280' } },
  watermark: { values: { false: null } },
  image_url: 'input_reference.image_url',
}
const submission = {
  ...{ attemptId: newAttemptId(), providerModel: 'veo', callbackUrl: undefined, media: [image], mapping: { fields, always: {} } },
  order: create(OrderSchema, { ...order, aspectRatio: '9:16', inputs: [image] }),
}
/** LiteLLM's: base64 of what it knows of a video. */
const id = `video_${btoa('litellm:custom_llm_provider:gemini;model_id:veo;video_id:models/veo-3.1/operations/a1')}`
const pollOf = async ({ connector }: ReturnType<typeof answering>) =>
  (await connector.poll([{ attemptId: 'at_1', providerTaskId: id, providerModel: 'veo', echoed: false }], signal))[0]
const textOf = (outcome: object | undefined) => Object.values(outcome ?? {}).join(' ')

test('a submit is the model and the order, each field in the place that its route names', async () => {
  const { submit, requests } = answering(200, { id, object: 'video', status: 'processing' })
  expect(await submit()).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  const input = { input_reference: { image_url: 'https://ours.example/a' }, metadata: { resolution: '720p' } }
  const body = { model: 'veo', prompt: 'a boat', seconds: '8', size: '720x1280', ...input }
  expect(requests).toEqual([{ call: 'POST /v1/videos', authorization: 'Bearer the-key', body }])
})

const fault = (code: unknown, message = 'words') => ({ error: { message, type: 'a_type', param: null, code } })

test.each<[number, unknown, string]>([
  [401, fault('invalid_api_key'), 'refused generation_unavailable answered 401 invalid_api_key key_refused'],
  [402, fault(null), 'refused generation_unavailable answered 402 a_type no_balance'],
  [429, fault('429'), 'refused generation_unavailable answered 429 429'],
  [400, fault('moderation_blocked'), 'refused prompt_rejected answered 400 moderation_blocked'],
  [400, fault('400', 'litellm.ContentPolicyViolationError: no'), 'refused prompt_rejected answered 400 400'],
  [400, { code: 'invalid_request', message: 'no', data: null }, 'refused generation_unavailable answered 400 invalid_request'],
  [503, fault('model_not_found'), 'refused generation_unavailable answered 503 model_not_found'],
  // From a proxy in front: the request did not reach the gateway.
  [403, { message: 'no' }, 'refused generation_unavailable answered 403 no code'],
  [403, '<html>', 'refused generation_unavailable answered 403 with something that is not JSON'],
  // The gateway's provider may have taken it.
  [500, { code: 'do_request_failed', message: 'no' }, 'unknown answered 500 do_request_failed'],
  [408, fault('timeout'), 'unknown answered 408 timeout'],
  [200, fault('server_error'), 'unknown answered 200 without an id'],
  [200, { id: '../models' }, 'unknown answered 200 without an id'],
])('a submit that is answered %d %o is %s', async (status, body, expected) => {
  expect(textOf(await answering(status, body).submit())).toBe(expected)
})

test('a video is at its own address there, for whoever has the key, wherever the gateway is', async () => {
  const gateway = answering(200, { id: 'another', object: 'video', status: 'completed' })
  const { origin } = new URL(gateway.url)
  expect(await pollOf(gateway)).toEqual({ status: 'succeeded', outputUrl: `${gateway.url}/videos/${encodeURIComponent(id)}/content` })
  expect(gateway.connector).toMatchObject({
    outputOrigins: [{ origin }],
    outputCredential: { origin, header: 'authorization', value: 'Bearer the-key' },
  })
})

test.each<[string, object, object]>([
  ['queued', {}, queued()],
  ['in_progress', { progress: 40 }, generating(40)],
  ['processing', { progress: null }, generating()],
  ['failed', { error: { code: 'server_error', message: 'a boat' } }, { code: 'generation_failed', cause: 'failed: server_error' }],
  ['failed', { error: { message: 'violates: content_filter' } }, { code: 'output_moderated', cause: 'failed: no code' }],
  ['failed', { error: null }, { code: 'generation_failed', cause: 'failed: no code' }],
  ['canceled', {}, { code: 'generation_failed', cause: 'canceled' }],
  ['expired', {}, { status: 'running', unknownWord: 'expired' }],
])('a poll that is told %s %o', async (status, more, expected) => {
  expect(await pollOf(answering(200, { id, status, ...more }))).toMatchObject(expected)
})

test('one that nobody knows is missing, as OpenAI says it and as new-api does', async () => {
  const answers = [answering(404, fault('not_found')), answering(400, { code: 'task_not_exist', message: 'task_not_exist' })]
  expect(await Promise.all(answers.map(pollOf))).toEqual(answers.map(() => ({ status: 'missing' })))
})

test.each<[number, unknown]>([
  [404, { message: 'no page' }],
  [400, fault('invalid_request')],
  [401, fault('invalid_api_key')],
  [503, fault('model_not_found')],
  [200, { id }],
])('a poll that is answered %d %o says nothing of the video', async (status, body) => {
  await expect(pollOf(answering(status, body))).rejects.toThrow(ProviderTrouble)
})
