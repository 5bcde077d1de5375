import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ProviderTrouble } from '../call'
import type { Connector, Submission } from '../connector'
import { generating } from '../mapping/running'
import { connectXai } from './connect-xai'

type ProviderRequest = { method: string; path: string; authorization: string | null; id: string | null; body: unknown }

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** xAI, answering everything so. */
function answering(answer: () => Response): { provider: Connector; asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { method, url, headers } = request
      const [authorization, id] = [headers.get('authorization'), headers.get('x-client-request-id')]
      asked.push({ method, path: new URL(url).pathname, authorization, id, body: method === 'POST' ? await request.json() : null })
      return answer()
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}/v1`
  return { provider: connectXai({ url, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), asked }
}

const { signal } = new AbortController()
const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
const id = 'a3d1008e-4544-40d4-d075-11527e794e4a'
const submission: Submission = {
  attemptId,
  providerModel: 'grok-imagine-video-1.5',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 6, resolution: '720p', aspectRatio: '16:9' }),
  mapping: {
    fields: {
      prompt: 'prompt',
      duration: { field: 'duration', min: 1, max: 15 },
      resolution: { field: 'resolution', values: ['720p'] },
      aspect_ratio: { field: 'aspect_ratio', values: { '16:9': '16:9', adaptive: null } },
      watermark: { values: { false: null } },
      image_url: 'image',
      reference_image_urls: { field: 'reference_images', items_max: 2 },
    },
    always: { calm: true },
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/xai/at_1',
}
const json = (status: number, body: unknown) => Response.json(body, { status })
const flat = (code: string | number, error = 'Words that name our team and key.') => ({ code, error })
const nested = (code: string | number, message = 'words') => ({ error: { message, type: 'invalid_request_error', param: null, code } })
const submitTo = (answer: Response) => answering(() => answer.clone() as Response).provider.submit(submission, signal)
const polled = { attemptId, providerTaskId: id, providerModel: submission.providerModel, echoed: false }
const pollOf = async (answer: Response) => (await answering(() => answer.clone() as Response).provider.poll([polled], signal))[0]

test('a submit says the order in the words of its route, under an id that support can be told', async () => {
  const { provider, asked } = answering(() => json(200, { request_id: id }))
  expect(await provider.submit(submission, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  expect(asked).toEqual([
    {
      ...{ method: 'POST', path: '/v1/videos/generations', authorization: 'Bearer the-key', id: attemptId },
      body: { model: 'grok-imagine-video-1.5', prompt: 'a boat', duration: 6, resolution: '720p', aspect_ratio: '16:9', calm: true },
    },
  ])
})

test('each input is an object that holds its address; what is adaptive is not said', async () => {
  const { provider, asked } = answering(() => json(200, { request_id: id }))
  const handed = (field: string, index = 0) => ({ kind: MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` })
  const order = create(OrderSchema, { ...submission.order, aspectRatio: 'adaptive' })
  await provider.submit({ ...submission, order, media: [handed('image_url')] }, signal)
  await provider.submit({ ...submission, order, media: [handed('reference_image_urls', 1), handed('reference_image_urls', 0)] }, signal)
  const words = { ...submission.mapping, words: { ...submission.mapping.fields, reference_image_urls: 'reference_images' } }
  await provider.submit({ ...submission, order, mapping: words, media: [handed('reference_image_urls')] }, signal)
  const fields = { model: 'grok-imagine-video-1.5', prompt: 'a boat', duration: 6, resolution: '720p', calm: true }
  expect(asked.map(({ body }) => body)).toEqual([
    { ...fields, image: { url: 'https://ours.example/image_url/0' } },
    { ...fields, reference_images: [0, 1].map(index => ({ url: `https://ours.example/reference_image_urls/${index}` })) },
    { ...fields, reference_images: [{ url: 'https://ours.example/reference_image_urls/0' }] },
  ])
})

test.each<[string, () => Response]>([
  ['no id', () => json(200, {})],
  ['an empty id', () => json(200, { request_id: '' })],
  ['an id that no path can hold', () => json(200, { request_id: '../else' })],
  ['nothing', () => new Response(null, { status: 202 })],
  ['something else', () => json(200, { ok: true })],
  ['a refusal that is none of xAI’s', () => json(400, { message: 'Bad Request' })],
  ['408', () => json(408, flat('timeout'))],
  ['409', () => json(409, flat('conflict'))],
  ['500', () => json(500, flat('internal_error'))],
  ['503', () => json(503, nested('service_unavailable'))],
  ['529', () => json(529, flat('overloaded'))],
  ['a redirect', () => new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['a page', () => new Response('<html>', { status: 400 })],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  expect(await submitTo(answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit that xAI finds fault with is refused, in either form of its errors, and its words are not shown', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  const argument = 'Client specified an invalid argument'
  expect(await submitTo(json(400, flat(argument)))).toEqual({ ...refused, cause: `answered 400 ${argument}` } as never)
  expect(await submitTo(json(401, flat('unauthenticated')))).toMatchObject(refused)
  expect(await submitTo(json(403, flat('permission-denied')))).toMatchObject(refused)
  expect(await submitTo(json(404, flat('not-found')))).toMatchObject(refused)
  expect(await submitTo(json(422, nested('invalid_request')))).toEqual({ ...refused, cause: 'answered 422 invalid_request' } as never)
  expect(await submitTo(json(429, nested(8)))).toEqual({ ...refused, cause: 'answered 429 8' } as never)
  expect(await submitTo(json(429, { error: 'Too many requests for team 1' }))).toEqual({
    ...refused,
    cause: 'answered 429 no code',
  } as never)
  expect(await submitTo(json(400, flat('a\nb')))).toEqual({ ...refused, cause: 'answered 400 no code' } as never)
})

test('a submit whose content was refused is known by its words', async () => {
  const refused = { outcome: 'refused', code: 'prompt_rejected' }
  for (const answer of [
    json(403, flat('permission-denied', 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO')),
    json(400, flat('imagine:content-moderated', 'words')),
    json(400, nested('invalid_argument', 'Generated video rejected by content moderation.')),
  ])
    expect(await submitTo(answer)).toMatchObject(refused)
})

test('an xAI that can’t be reached was never asked', async () => {
  const provider = connectXai({ url: 'http://127.0.0.1:1/v1', key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 })
  expect(await provider.submit(submission, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

const url = 'https://vidgen.x.ai/xai-vidgen-bucket/xai-video-a3d1008e.mp4'
/** Answers as the OpenAPI document and the tests of xAI’s own client have them, in which only the ids are ours. */
const done = {
  ...{ status: 'done', model: 'grok-imagine-video-1.5', progress: 100, usage: { cost_in_usd_ticks: 6_400_000_000 } },
  video: { url, duration: 8, respect_moderation: true },
}

test('a poll asks for one request by its id; an empty 202 is one that runs', async () => {
  const { provider, asked } = answering(() => json(200, done))
  expect(await provider.poll([polled], signal)).toEqual([{ status: 'succeeded', outputUrl: url, billed: { microUsd: 640_000 } }])
  expect(asked).toEqual([{ method: 'GET', path: `/v1/videos/${id}`, authorization: 'Bearer the-key', id: null, body: null }])
  expect(await pollOf(new Response(null, { status: 202 }))).toEqual(generating())
  expect(await pollOf(json(202, { status: 'pending', progress: 40 }))).toEqual(generating(40))
  expect(await pollOf(json(202, done))).toEqual(generating(100))
  expect(await pollOf(json(200, { status: 'pending', progress: 40 }))).toEqual(generating(40))
})

test('it is complete by a URL alone, and by a URL without a status too', async () => {
  expect(await pollOf(json(200, { video: done.video, model: done.model }))).toEqual({ status: 'succeeded', outputUrl: url })
  expect(await pollOf(json(200, { ...done, video: { url } }))).toMatchObject({ status: 'succeeded', outputUrl: url })
  const running = (unknownWord: string) => ({ status: 'running' as const, unknownWord })
  for (const video of [null, {}, { url: '' }, { url: null }, { url: 7 }, { url: 'https://a.example/a b' }, { url: 'ftp://a/b' }])
    expect(await pollOf(json(200, { ...done, video }))).toEqual(running('done without a URL'))
  expect(await pollOf(json(200, { video: { url: '' } }))).toEqual(running('no status'))
  expect(await pollOf(json(200, { ...done, status: 'queued' }))).toEqual(running('queued'))
  expect(await pollOf(json(200, { ...done, status: 'pending' }))).toEqual(generating(100))
})

test('a video that was withheld is told by its flag, in an error, or with 400', async () => {
  const withheld = { status: 'failed', code: 'output_moderated' }
  const text = 'Generated video rejected by content moderation.'
  expect(await pollOf(json(200, { ...done, video: { url: '', duration: 8, respect_moderation: false } }))).toMatchObject(withheld)
  expect(await pollOf(json(200, { ...done, video: { ...done.video, respect_moderation: false } }))).toMatchObject(withheld)
  expect(await pollOf(json(200, { status: 'failed', error: { code: 'invalid_argument', message: text } }))).toMatchObject(withheld)
  for (const body of [flat('imagine:content-moderated', text), flat('Client specified an invalid argument', text), nested('x', text)])
    expect(await pollOf(json(400, body))).toMatchObject(withheld)
  // What is still to come has no flag that means anything.
  const early = { status: 'pending', video: { url: '', duration: 0, respect_moderation: false } }
  expect(await pollOf(json(200, early))).toEqual(generating())
})

test('an input that its rules refused is told once it is done, and never while it runs', async () => {
  const blocked = { ...done, video: null, block_reason: 'words' }
  expect(await pollOf(json(200, blocked))).toMatchObject({ status: 'failed', code: 'prompt_rejected' })
  expect(await pollOf(json(200, { ...blocked, status: 'pending' }))).toEqual(generating(100))
  expect(await pollOf(json(200, { ...done, block_reason: 'words' }))).toMatchObject({ status: 'succeeded' })
})

test('a failure has a code, and a request that expired may have been a video', async () => {
  const failed = (cause: string) => ({ status: 'failed' as const, code: 'generation_failed' as const, cause })
  const message = 'Prompt cannot be empty. Please provide a prompt.'
  expect(await pollOf(json(200, { status: 'failed', error: { code: 'invalid_argument', message } }))).toEqual(
    failed('failed: invalid_argument'),
  )
  expect(await pollOf(json(200, { status: 'failed' }))).toEqual(failed('failed: no code'))
  expect(await pollOf(json(200, { status: 'expired' }))).toEqual({ status: 'running', unknownWord: 'expired' })
})

test('an id that xAI doesn’t know is missing, and is nobody’s', async () => {
  const { provider } = answering(() => json(404, flat('not-found')))
  expect(await provider.poll([polled], signal)).toEqual([{ status: 'missing' }])
  expect(await provider.identify(polled, signal)).toBeUndefined()
  expect([provider.lookUp, provider.capabilities.lookUp, provider.capabilities.ownId]).toEqual([undefined, 'none', 'none'])
})

test('what says something of the call alone is no answer', async () => {
  const answers = [
    ...[json(200, {}), json(200, []), json(200, { status: 7 }), json(200, null), json(200, flat('internal_error'))],
    ...[json(400, flat('Client specified an invalid argument')), json(401, flat('unauthenticated')), json(403, flat('permission-denied'))],
    ...[json(403, flat('permission-denied', 'Content violates usage guidelines.')), json(429, {}), json(500, flat('x')), json(404, {})],
    ...[new Response(null, { status: 200 }), new Response(null, { status: 204 }), new Response('{"status":', { status: 202 })],
  ]
  for (const answer of answers) {
    await expect(pollOf(answer)).rejects.toThrow(ProviderTrouble)
    const { provider } = answering(() => answer.clone() as Response)
    await expect(provider.identify(polled, signal)).rejects.toThrow(ProviderTrouble)
  }
})

test('one without an answer voids no other', async () => {
  let asked = 0
  const { provider } = answering(() => (asked++ === 0 ? json(500, {}) : new Response(null, { status: 202 })))
  expect(await provider.poll([polled, polled], signal)).toContainEqual(generating())
})

test('a request is told to be there whatever became of it; it says nothing of whose it is', async () => {
  for (const answer of [new Response(null, { status: 202 }), json(200, done), json(200, { status: 'failed' })]) {
    const { provider } = answering(() => answer.clone() as Response)
    expect(await provider.identify(polled, signal)).toEqual({ attemptId: null })
  }
})

test('an output comes from the public internet, unless xAI is a stand-in on this machine', () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 }
  expect(connectXai({ url: 'https://api.x.ai/v1', ...bounds }).outputOrigins).toEqual([])
  expect(connectXai({ url: 'http://127.0.0.1:4105/xai/v1/', ...bounds }).outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by asking about itself', async () => {
  const checked = (answer: Response) => answering(() => answer.clone() as Response).provider.checkKey(signal)
  const own = { redacted_api_key: 'xai-...b14o', api_key_blocked: false, api_key_disabled: false, team_blocked: false }
  expect(await checked(json(200, own))).toBe('accepted')
  for (const flag of ['api_key_blocked', 'api_key_disabled', 'team_blocked'])
    expect(await checked(json(200, { ...own, [flag]: true }))).toBe('refused')
  for (const status of [400, 401, 403]) expect(await checked(json(status, flat('x')))).toBe('refused')
  for (const answer of [json(200, {}), json(500, flat('x')), json(429, flat('x')), json(404, flat('not-found'))])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})
