import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ProviderTrouble } from '../call'
import type { Connector, Submission } from '../connector'
import { generating, queued } from '../mapping/running'
import { connectKling } from './connect-kling'

type ProviderRequest = { method: string; path: string; authorization: string | null; body?: unknown }

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** Kling, answering everything so. */
function answering(answer: () => Response, key = 'the-key'): { provider: Connector; asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'POST' ? { body: await request.json() } : {}
      asked.push({ method: request.method, path: `${pathname}${search}`, authorization: request.headers.get('authorization'), ...body })
      return answer()
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}/`
  return { provider: connectKling({ url, key, submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), asked }
}

const { signal } = new AbortController()
const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
const id = '893605946402811985'
const authorization = 'Bearer the-key'
const submission: Submission = {
  attemptId,
  providerModel: 'text-to-video/kling-3.0',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '1080p', aspectRatio: '16:9', generateAudio: false }),
  mapping: {
    fields: {
      prompt: 'prompt',
      duration: 'settings.duration',
      resolution: 'settings.resolution',
      aspect_ratio: 'settings.aspect_ratio',
      generate_audio: { field: 'settings.audio', values: { true: 'native', false: 'off' } },
      watermark: { values: { false: null } },
      image_url: 'contents.first_frame',
      reference_image_urls: { field: 'contents.refer_image', items_max: 2 },
    },
    always: { 'settings.multi_shot': true },
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/kling/at_1',
}
const json = (status: number, body: unknown) => Response.json(body, { status })
const told = (data: unknown) => json(200, { code: 0, message: 'SUCCEED', request_id: 'r', data })
const error = (status: number, code: number, message = 'words') => json(status, { code, message, request_id: 'r' })
const submitTo = (answer: Response) => answering(() => answer.clone() as Response).provider.submit(submission, signal)
const polled = { attemptId, providerTaskId: id, providerModel: submission.providerModel, echoed: true }
const task = (more: object = {}) => ({ id, status: 'processing', message: '', external_id: attemptId, ...more })
const pollOf = async (answer: Response, one = polled) => (await answering(() => answer.clone() as Response).provider.poll([one], signal))[0]

test('a submit is on the model’s own path, with our id and every word of its route where it says', async () => {
  const { provider, asked } = answering(() => told({ id, status: 'submitted', external_id: attemptId }))
  expect(await provider.submit(submission, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: true })
  expect(asked).toEqual([
    {
      ...{ method: 'POST', path: '/text-to-video/kling-3.0', authorization },
      body: {
        prompt: 'a boat',
        settings: { multi_shot: true, duration: 5, resolution: '1080p', aspect_ratio: '16:9', audio: 'off' },
        options: { external_task_id: attemptId, callback_url: 'https://api.example/hooks/kling/at_1' },
      },
    },
  ])
})

test('media are entries of one list, behind the prompt where that is one of them too', async () => {
  const { provider, asked } = answering(() => told({ id }))
  const handed = (field: string, index = 0) => ({ kind: MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` })
  const media = [handed('image_url'), handed('reference_image_urls', 1), handed('reference_image_urls', 0)]
  const mapping = { always: {}, fields: { ...submission.mapping?.fields, prompt: 'contents.prompt' } }
  expect(await provider.submit({ ...submission, media, mapping }, signal)).toEqual({
    outcome: 'accepted',
    providerTaskId: id,
    echoed: false,
  })
  const { contents, prompt } = (asked[0]?.body ?? {}) as { contents?: unknown; prompt?: unknown }
  expect(prompt).toBeUndefined()
  expect(contents).toEqual([
    { type: 'prompt', text: 'a boat' },
    { type: 'first_frame', url: 'https://ours.example/image_url/0' },
    { type: 'refer_image', url: 'https://ours.example/reference_image_urls/0' },
    { type: 'refer_image', url: 'https://ours.example/reference_image_urls/1' },
  ])
})

test.each<[string, () => Response]>([
  ['no id', () => told({ status: 'submitted' })],
  ['an id that no URL can hold', () => told({ id: 'a,b' })],
  ['a number for an id', () => told({ id: 893605946402811 })],
  ['another id of ours', () => told({ id, external_id: 'at_another' })],
  ['nothing', () => told(undefined)],
  ['no code', () => json(200, { data: { id } })],
  ['an acceptance that is none', () => json(500, { code: 0, data: { id } })],
  ['words that no page of Kling’s has', () => json(400, { detail: 'slow down' })],
  ['a code that no page has', () => error(400, 1104)],
  ['our id, sent before', () => error(400, 1201, `External_task_id ${attemptId} already exists`)],
  ['our id, sent before, in other words', () => error(400, 1201, 'external_task_id must be unique')],
  ['our id, sent before, in Chinese', () => error(400, 1201, 'external_task_id 已存在')],
  ['a fault of its own', () => error(500, 5000)],
  ['its time-out', () => error(504, 5002)],
  ['its time-out with 200', () => error(200, 5002)],
  ['a refusal with a status of its own faults', () => error(503, 1201)],
  ['408', () => error(408, 1302)],
  ['a redirect', () => new Response('{"code":1201}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['a page', () => new Response('<html>', { status: 400 })],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  expect(await submitTo(answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit whose task was not taken is refused, by the codes of its page and with any of its statuses', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  expect(await submitTo(error(401, 1002))).toMatchObject({ ...refused, cause: 'answered 401 1002' } as never)
  expect(await submitTo(error(429, 1102, 'Account balance not enough'))).toMatchObject(refused)
  expect(await submitTo(error(403, 1103))).toMatchObject(refused)
  expect(await submitTo(error(400, 1201, "settings.duration value '7' is invalid"))).toMatchObject(refused)
  expect(await submitTo(error(400, 1201, "options.external_task_id value 'x' is invalid"))).toMatchObject(refused)
  expect(await submitTo(error(404, 1203))).toMatchObject(refused)
  expect(await submitTo(error(429, 1303, 'parallel task over resource pack limit'))).toMatchObject(refused)
  expect(await submitTo(error(200, 1201))).toEqual({ ...refused, cause: 'answered 200 1201' } as never)
  for (const status of [400, 200])
    expect(await submitTo(error(status, 1301))).toMatchObject({ outcome: 'refused', code: 'prompt_rejected' })
})

test('a Kling that can’t be reached was never asked', async () => {
  const provider = connectKling({ url: 'http://127.0.0.1:1', key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 })
  expect(await provider.submit(submission, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('a pair of keys signs a token for each call, and goes out in none', async () => {
  const { provider, asked } = answering(() => told([]), 'a1b2c3d4e5f6a7b8:s1e2c3r4e5t6k7e8y9')
  await provider.poll([polled], signal)
  await provider.submit(submission, signal)
  await provider.checkKey(signal)
  for (const call of asked) {
    const [, claims = ''] = /^Bearer [\w-]+\.([\w-]+)\.[\w-]+$/.exec(call.authorization ?? '') ?? []
    const { iss, exp, nbf } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect([iss, exp - nbf]).toEqual(['a1b2c3d4e5f6a7b8', 1_805])
    expect(Math.abs(nbf + 5 - Date.now() / 1_000)).toBeLessThan(30)
  }
  expect(asked.length).toBe(3)
})

test('many are asked about in one call, and each is taken by its id, whatever its place', async () => {
  const [url, other] = ['https://v15-kling-fdl.klingai.com/a.mp4?x=1', { ...polled, providerTaskId: '2', attemptId: 'at_2' }]
  const outputs = [
    { type: 'audio', mp3_url: 'https://a.example/a.mp3' },
    { type: 'video', id: 'v', url, duration: '5.041' },
  ]
  const { provider, asked } = answering(() =>
    told([{ ...task(), id: '2', external_id: 'at_2' }, task({ status: 'succeeded', outputs }), { ...task(), id: '9' }]),
  )
  expect(await provider.poll([polled, other, { ...polled, providerTaskId: '3' }], signal)).toEqual([
    { status: 'succeeded', outputUrl: url },
    generating(),
    { status: 'missing' },
  ])
  expect(asked).toEqual([{ method: 'GET', path: `/tasks?task_ids=${id},2,3`, authorization }])
  expect(provider.pollSizeMax).toBe(20)
})

test('a status that we don’t know is running, the word of the generation before is one, and so is a success without a video', async () => {
  for (const status of ['queued', 'succeed'])
    expect(await pollOf(told([task({ status })]))).toEqual({ status: 'running', unknownWord: status })
  expect(await pollOf(told([task({ status: 'submitted' })]))).toEqual(queued())
  const video = (url: unknown) => [{ type: 'video', url }]
  for (const outputs of [
    undefined,
    null,
    [],
    'x',
    [7],
    [{ type: 'image', url: 'https://a.example/a' }],
    ...[7, '', 'ftp://a/b', 'https://a.example/a b'].map(video),
  ])
    expect(await pollOf(told([task({ status: 'succeeded', outputs })]))).toEqual({
      status: 'running',
      unknownWord: 'succeeded without a video',
    })
})

test('a failure is what the task says in words, as far as a row can hold them', async () => {
  const failed = (message: unknown) => pollOf(told([task({ status: 'failed', message })]))
  const broken = { status: 'failed', code: 'generation_failed' }
  expect(await failed('Internal generation error')).toEqual({ ...broken, cause: 'failed: Internal generation error' } as never)
  for (const message of [undefined, '', 7, 'a\u0000b', 'x'.repeat(300)])
    expect(await failed(message)).toEqual({ ...broken, cause: 'failed: no words' } as never)
  expect(await failed('Failure to pass the risk control system')).toMatchObject({ status: 'failed', code: 'output_moderated' })
  expect(await failed('Something went wrong when we tried to get the contents of the file.')).toMatchObject({ status: 'inputs-unread' })
})

test('an id that leads to another task of ours, or to one that doesn’t repeat ours as it did, is missing', async () => {
  expect(await pollOf(told([task({ external_id: 'at_another' })]))).toEqual({ status: 'missing' })
  for (const none of ['', null, undefined]) {
    expect(await pollOf(told([task({ external_id: none })]))).toEqual({ status: 'missing' })
    expect(await pollOf(told([task({ external_id: none })]), { ...polled, echoed: false })).toEqual(generating())
  }
})

test('something that is no task voids no other answer, and makes nothing missing', async () => {
  for (const malformed of [7, null, { id: 7 }, { id: '3' }]) {
    const { provider } = answering(() => told([malformed, task()]))
    expect(await provider.poll([polled, { ...polled, providerTaskId: '3' }], signal)).toEqual([generating(), undefined])
    await expect(provider.lookUp?.('at_another', signal)).rejects.toThrow(ProviderTrouble)
    await expect(provider.identify({ ...polled, providerTaskId: '3' }, signal)).rejects.toThrow(ProviderTrouble)
  }
})

test('an error is no answer, with 200 too, and nothing is missing by it', async () => {
  for (const answer of [
    error(401, 1002),
    error(429, 1302),
    error(400, 1201),
    error(500, 5000),
    error(200, 5001),
    json(200, {}),
    told({}),
    told(null),
  ]) {
    await expect(pollOf(answer)).rejects.toThrow(ProviderTrouble)
    const { provider } = answering(() => answer.clone() as Response)
    await expect(provider.lookUp?.(attemptId, signal)).rejects.toThrow(ProviderTrouble)
    await expect(provider.identify(polled, signal)).rejects.toThrow(ProviderTrouble)
  }
})

test('a task is found by our id alone, whatever became of it; one that is not there is not said to be absent for good', async () => {
  const { provider, asked } = answering(() => told([task({ status: 'failed' })]))
  expect(await provider.lookUp?.(attemptId, signal)).toBe(id)
  expect(asked).toEqual([{ method: 'GET', path: `/tasks?external_task_ids=${attemptId}`, authorization }])
  expect(await answering(() => told([])).provider.lookUp?.(attemptId, signal)).toBeUndefined()
  for (const other of [{ external_id: 'at_another' }, { external_id: '' }])
    await expect(answering(() => told([task(other)])).provider.lookUp?.(attemptId, signal)).rejects.toThrow(ProviderTrouble)
  expect(provider.capabilities.lookUp).toBe('own-id-if-found')
})

test('whose a task is, Kling says itself', async () => {
  expect(await answering(() => told([task()])).provider.identify(polled, signal)).toEqual({ attemptId })
  expect(await answering(() => told([task({ external_id: '' })])).provider.identify(polled, signal)).toEqual({ attemptId: null })
  expect(await answering(() => told([])).provider.identify(polled, signal)).toBeUndefined()
})

test('an output comes from the public internet, unless Kling is a stand-in on this machine', () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 }
  expect(connectKling({ url: 'https://api-singapore.klingai.com', ...bounds }).outputOrigins).toEqual([])
  expect(connectKling({ url: 'http://127.0.0.1:4105/kling', ...bounds }).outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by asking for a task that nobody sent', async () => {
  const { provider, asked } = answering(() => told([]))
  expect(await provider.checkKey(signal)).toBe('accepted')
  expect(asked).toMatchObject([{ method: 'GET', path: expect.stringMatching(/^\/tasks\?external_task_ids=[0-9a-f-]{36}$/) }])
  const checked = (answer: Response) => answering(() => answer.clone() as Response).provider.checkKey(signal)
  expect([await checked(error(401, 1002)), await checked(error(403, 1103))]).toEqual(['refused', 'refused'])
  for (const answer of [error(429, 1304), error(500, 5000), error(200, 1000), json(200, {}), new Response('<html>', { status: 200 })])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})
