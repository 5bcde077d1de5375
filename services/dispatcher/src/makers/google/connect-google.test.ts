import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { MakerTrouble } from '../call'
import type { Connector, HandedMedia, Submission } from '../connector'
import { generating, queued } from '../words/running'
import { connectGoogle } from './connect-google'

type Asked = { method: string; path: string; key: string | null; revision: string | null; body: unknown }
type Answers = Record<string, Response>

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

const bounds = { submitTimeoutMs: 1_000, readTimeoutMs: 1_000, uploadTimeoutMs: 1_000 }

/** Google, answering each path as told, and everything else with 404. */
function answering(answers: Answers): { maker: Connector; asked: Asked[]; base: string } {
  const asked: Asked[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const [key, revision] = ['x-goog-api-key', 'api-revision'].map(name => request.headers.get(name))
      const body = request.method === 'POST' ? await request.json() : undefined
      asked.push({ method: request.method, path: `${pathname}${search}`, key: key ?? null, revision: revision ?? null, body })
      const answer = answers[pathname.replace('/v1beta/', '')]?.clone() as Response | undefined
      return answer ?? json(404, fault(404, 'NOT_FOUND'))
    },
  })
  servers.push(server)
  const base = `http://127.0.0.1:${server.port}/v1beta`
  return { maker: connectGoogle({ url: base, key: 'the-key', ...bounds }), asked, base }
}

/** Google, answering the same to everything. */
const answeringAll = (answer: Response) => answering(new Proxy({}, { get: () => answer }))

const { signal } = new AbortController()
const json = (status: number, body: unknown) => Response.json(body, { status })
const fault = (code: number | string, status?: string, more: object = {}) => ({
  error: { code, message: 'words', ...(status && { status }), ...more },
})
const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
const picture = (field: string, index = 0): HandedMedia => ({
  ...{ kind: MediaKind.IMAGE, field, index, url: `data:image/png;base64,${field}${index}` },
})

const veo: Submission = {
  attemptId,
  makerModel: 'veo-3.1-fast-generate-preview',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 8, resolution: '1080p', aspectRatio: '16:9' }),
  words: {
    words: {
      ...{ prompt: 'prompt', duration: 'durationSeconds', resolution: 'resolution', aspect_ratio: 'aspectRatio' },
      ...{ watermark: { values: { false: null } }, image_url: 'image', end_image_url: 'lastFrame' },
      reference_image_urls: { field: 'referenceImages', items_max: 3 },
    },
    always: {},
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/google/at_1',
}
const omni: Submission = {
  ...veo,
  makerModel: 'gemini-omni-1.1-flash',
  words: {
    words: {
      ...{
        prompt: 'prompt',
        duration: { field: 'duration', values: { '8': '8s' } },
        resolution: 'resolution',
        aspect_ratio: 'aspect_ratio',
      },
      ...{ watermark: { values: { false: null } }, image_url: 'first_frame', end_image_url: 'last_frame' },
      reference_image_urls: { field: 'images', items_max: 10 },
    },
    always: {},
  },
}
const submitPath = 'models/veo-3.1-fast-generate-preview:predictLongRunning'
const name = 'models/veo-3.1-fast-generate-preview/operations/op1'
const id = 'v1_abc-DEF'
const submitTo = (submission: Submission, answer: Response) => answeringAll(answer).maker.submit(submission, signal)
const polledOf = (makerTaskId: string, echoed: boolean) => ({ attemptId, makerTaskId, makerModel: veo.makerModel, echoed })
const operation = polledOf(name, false)
const interaction = polledOf(id, true)
const pollOf = async (answers: Answers, polled = interaction) => (await answering(answers).maker.poll([polled], signal))[0]
const told = (status: string, more: object = {}) => json(200, { id, status, labels: { attempt: attemptId }, ...more })
const pollTold = (status: string, more: object = {}) => pollOf({ [`interactions/${id}`]: told(status, more) })
const done = (more: object) => pollOf({ [name]: json(200, { name, done: true, ...more }) }, operation)

test('Veo is one instance and its parameters, and its id the whole name of an operation', async () => {
  const { maker, asked } = answering({ [submitPath]: json(200, { name }) })
  const media = [picture('end_image_url'), picture('image_url')]
  expect(await maker.submit({ ...veo, media }, signal)).toEqual({ outcome: 'accepted', makerTaskId: name, echoed: false })
  const image = (data: string) => ({ bytesBase64Encoded: data, mimeType: 'image/png' })
  expect(asked).toEqual([
    {
      ...{ method: 'POST', path: `/v1beta/${submitPath}`, key: 'the-key', revision: '2026-05-20' },
      body: {
        instances: [{ prompt: 'a boat', image: image('image_url0'), lastFrame: image('end_image_url0') }],
        parameters: { sampleCount: 1, durationSeconds: 8, resolution: '1080p', aspectRatio: '16:9' },
        webhookConfig: { uris: ['https://api.example/hooks/google/at_1'] },
      },
    },
  ])
})

test('Veo’s references are assets, in the order of the request', async () => {
  const { maker, asked } = answering({ [submitPath]: json(200, { name }) })
  await maker.submit({ ...veo, media: [picture('reference_image_urls', 1), picture('reference_image_urls')] }, signal)
  expect(asked[0]?.body).toMatchObject({
    instances: [
      {
        referenceImages: [
          { image: { bytesBase64Encoded: 'reference_image_urls0' }, referenceType: 'asset' },
          { image: { bytesBase64Encoded: 'reference_image_urls1' }, referenceType: 'asset' },
        ],
      },
    ],
  })
})

test('Omni is an interaction in the background under our own label, whose video is handed out as a file', async () => {
  const { maker, asked } = answering({ interactions: told('in_progress') })
  const words = omni.words && { ...omni.words, always: { task: 'text_to_video' } }
  expect(await maker.submit({ ...omni, words }, signal)).toEqual({ outcome: 'accepted', makerTaskId: id, echoed: true })
  expect(asked.map(({ path, key, body }) => ({ path, key, body }))).toEqual([
    {
      ...{ path: '/v1beta/interactions', key: 'the-key' },
      body: {
        model: 'gemini-omni-1.1-flash',
        input: [{ type: 'text', text: 'a boat' }],
        response_format: { type: 'video', delivery: 'uri', duration: '8s', resolution: '1080p', aspect_ratio: '16:9' },
        generation_config: { video_config: { task: 'text_to_video' } },
        ...{ background: true, store: true, labels: { attempt: attemptId } },
        webhook_config: { uris: ['https://api.example/hooks/google/at_1'] },
      },
    },
  ])
})

test.each<[HandedMedia[], string[], string]>([
  [[picture('image_url')], ['image_url0'], '[# Sources <FIRST_FRAME>@Image1] a boat'],
  [
    [picture('end_image_url'), picture('image_url')],
    ['image_url0', 'end_image_url0'],
    '[# Sources <FIRST_FRAME>@Image1 <LAST_FRAME>@Image2] a boat',
  ],
  [
    [picture('reference_image_urls', 1), picture('reference_image_urls')],
    ['reference_image_urls0', 'reference_image_urls1'],
    '[# References <IMAGE_REF_0>@Image1 <IMAGE_REF_1>@Image2] a boat',
  ],
])('Omni’s pictures come in an order that the prompt declares: %#', async (media, data, text) => {
  const { maker, asked } = answering({ interactions: told('in_progress') })
  await maker.submit({ ...omni, media }, signal)
  const body = asked[0]?.body as { input: unknown; generation_config?: unknown }
  expect(body.input).toEqual([...data.map(one => ({ type: 'image', mime_type: 'image/png', data: one })), { type: 'text', text }])
  expect(body.generation_config).toBeUndefined()
})

test('an acceptance that repeats our pictures is read, however large they are; one that is larger still is no answer', async () => {
  const data = 'A'.repeat(5_000_000)
  const media = [{ ...picture('image_url'), url: `data:image/png;base64,${data}` }]
  const steps = (count: number) => ({
    steps: [{ type: 'user_input', content: Array.from({ length: count }, () => ({ type: 'image', data })) }],
  })
  const accepted = { outcome: 'accepted', makerTaskId: id, echoed: true } as const
  expect(await submitTo({ ...omni, media }, told('in_progress', steps(1)))).toEqual(accepted)
  expect(await submitTo({ ...omni, media }, told('in_progress', steps(2)))).toMatchObject({ outcome: 'unknown' })
})

test('a label that isn’t repeated is no echo, and one of another attempt’s no acceptance', async () => {
  expect(await submitTo(omni, json(200, { id, status: 'in_progress' }))).toEqual({ outcome: 'accepted', makerTaskId: id, echoed: false })
  const other = json(200, { id, status: 'in_progress', labels: { attempt: 'at_2' } })
  expect(await submitTo(omni, other)).toMatchObject({ outcome: 'unknown', cause: 'answered about another id of ours' })
})

test.each<[string, () => Response]>([
  ['an id that no URL can hold', () => json(200, { name: 'models/../x', id: '../x', status: 'in_progress' })],
  ['no id', () => json(200, {})],
  ['a redirect', () => new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['a 400 without an error', () => json(400, {})],
  ['408', () => json(408, fault(408))],
  ['409', () => json(409, fault(409, 'ABORTED'))],
  ['499', () => json(499, fault(499, 'CANCELLED'))],
  ['413', () => json(413, fault(413))],
  ['500', () => json(500, fault(500, 'INTERNAL'))],
  ['503', () => json(503, fault(503, 'UNAVAILABLE'))],
  ['504', () => json(504, fault(504, 'DEADLINE_EXCEEDED'))],
  ['a page', () => new Response('<html>', { status: 400 })],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  for (const submission of [veo, omni]) expect(await submitTo(submission, answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit that was not taken is refused: its key, its billing, its form, its model, the rate, the content', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  for (const [status, word] of [
    [400, 'INVALID_ARGUMENT'],
    [400, 'FAILED_PRECONDITION'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [429, 'RESOURCE_EXHAUSTED'],
  ] as const)
    expect(await submitTo(veo, json(status, fault(status, word)))).toEqual({ ...refused, cause: `answered ${status} ${word}` } as never)
  expect(await submitTo(omni, json(400, fault('invalid_request')))).toMatchObject({ ...refused, cause: 'answered 400 invalid_request' })
  expect(await submitTo(omni, json(400, [fault(400, 'INVALID_ARGUMENT')]))).toMatchObject(refused)
  const message = 'The prompt contains words that violate Google’s Responsible AI practices.'
  for (const more of [{ message }, { status: 'PROHIBITED_CONTENT' }])
    expect(await submitTo(veo, json(400, fault(400, 'INVALID_ARGUMENT', more)))).toMatchObject({ code: 'prompt_rejected' })
})

test('a Google that can’t be reached was never asked', async () => {
  const maker = connectGoogle({ url: 'http://127.0.0.1:1/v1beta', key: 'k', ...bounds })
  expect(await maker.submit(veo, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('an operation runs until it is done, and its first video is the output', async () => {
  const { maker, asked } = answering({ [name]: json(200, { name }) })
  expect(await maker.poll([operation], signal)).toEqual([{ status: 'running' }])
  expect(asked).toMatchObject([{ method: 'GET', path: `/v1beta/${name}`, key: 'the-key' }])
  const uri = 'https://generativelanguage.googleapis.com/v1beta/files/abc:download?alt=media'
  const response = { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } }
  expect(await done({ response })).toEqual({ status: 'succeeded', outputUrl: uri })
  expect(await done({ response, error: { code: 13 } })).toEqual({ status: 'succeeded', outputUrl: uri })
})

test('what became of an operation: its own error, a video that was withheld, or nothing that we read', async () => {
  const failed = { status: 'failed', code: 'generation_failed', cause: 'failed: code 13' } as const
  expect(await done({ error: { code: 13, message: 'internal' } })).toEqual(failed)
  const sentence = 'The prompt could not be submitted: it contains sensitive words that violate Google’s Responsible AI practices.'
  expect(await done({ error: { code: 3, message: sentence } })).toMatchObject({ code: 'prompt_rejected' })
  const withheld = { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['words'] } }
  expect(await done({ response: withheld })).toMatchObject({ status: 'failed', code: 'output_moderated' })
  const without = { status: 'running', unknownWord: 'done without a video' } as const
  expect(await done({})).toEqual(without)
  for (const video of [{}, { uri: 7 }, { uri: 'https://a.example/a b' }, { uri: 'ftp://a/b' }]) {
    const response = { generateVideoResponse: { generatedSamples: [{ video }], raiMediaFilteredCount: 1 } }
    expect(await done({ response })).toEqual(without)
  }
})

/** An interaction with this in its answer to us. */
const output = (...content: object[]) => ({
  steps: [
    { type: 'user_input', content: [{ type: 'video' }] },
    { type: 'model_output', content },
  ],
})
const tokens = (...modalities: string[]) => ({
  usage: { output_tokens_by_modality: modalities.map(modality => ({ modality, tokens: 7 })) },
})

test('an interaction’s video is its output once its file is ready', async () => {
  for (const state of ['PROCESSING', 'ACTIVE', 'FAILED', 'RESTING']) {
    const answers: Answers = { 'files/abc1': json(200, { name: 'files/abc1', state }) }
    const { maker, base, asked } = answering(answers)
    const uri = `${base}/files/abc1:download?alt=media`
    answers[`interactions/${id}`] = told('completed', output({ type: 'video', mime_type: 'video/mp4', uri }))
    const expected = {
      PROCESSING: { status: 'running' },
      ACTIVE: { status: 'succeeded', outputUrl: uri },
      FAILED: { status: 'failed', code: 'generation_failed' },
      RESTING: { status: 'running', unknownWord: 'file RESTING' },
    }[state]
    expect((await maker.poll([interaction], signal))[0]).toMatchObject(expected ?? {})
    expect(asked.map(({ path }) => path)).toEqual([`/v1beta/interactions/${id}`, '/v1beta/files/abc1'])
    answers['files/abc1'] = json(403, fault(403, 'PERMISSION_DENIED'))
    await expect(maker.poll([interaction], signal)).rejects.toThrow(MakerTrouble)
  }
})

test('a file is asked about without what follows its name, and an address elsewhere is taken as it is', async () => {
  const answers: Answers = { 'files/abc1': json(200, { state: 'ACTIVE' }) }
  const { maker, base } = answering(answers)
  answers[`interactions/${id}`] = told('completed', { output_video: { type: 'video', uri: `${base}/files/abc1` } })
  expect(await maker.poll([interaction], signal)).toEqual([{ status: 'succeeded', outputUrl: `${base}/files/abc1:download?alt=media` }])
  delete answers['files/abc1']
  for (const elsewhere of ['https://storage.example/a.mp4', `${base}/files/../interactions/x`, `${base}.example/files/abc1`]) {
    answers[`interactions/${id}`] = told('completed', output({ type: 'video', uri: elsewhere }))
    expect(await maker.poll([interaction], signal)).toEqual([{ status: 'succeeded', outputUrl: elsewhere }])
  }
})

test('an interaction that runs, and one whose word we don’t know, is running', async () => {
  for (const status of ['queued', 'in_progress']) expect(await pollTold(status)).toEqual(status === 'queued' ? queued() : generating())
  for (const status of ['requires_action', 'requires_continuation', 'warming_up'])
    expect(await pollTold(status)).toEqual({ status: 'running', unknownWord: status })
})

test('an interaction that ended without a video has failed; where a part of one may be there, a person looks', async () => {
  const failed = { status: 'failed', code: 'generation_failed' }
  expect(await pollTold('failed', { errors: [{ code: 'internal_error', message: 'words' }] })).toEqual({
    ...failed,
    cause: 'failed: internal_error',
  } as never)
  for (const status of ['cancelled', 'incomplete', 'budget_exceeded']) {
    expect(await pollTold(status)).toEqual({ ...failed, cause: `failed: ${status}` } as never)
    expect(await pollTold(status, output({ type: 'video', uri: 'https://a.example/a' }))).toEqual({
      status: 'running',
      unknownWord: status,
    })
  }
  expect(await pollTold('failed', { error: { code: 'internal', status: 'PROHIBITED_CONTENT' } })).toMatchObject({
    code: 'output_moderated',
  })
})

test('words where a video should be are a refusal of the content rules; anything else without one is no verdict', async () => {
  const text = { type: 'text', text: 'I can’t.' }
  expect(await pollTold('completed', { ...output(text), ...tokens('text') })).toMatchObject({ status: 'failed', code: 'output_moderated' })
  const without = { status: 'running', unknownWord: 'completed without a video' } as const
  for (const more of [
    {},
    output(text),
    output(),
    { ...output(text), ...tokens('text', 'video') },
    { ...output(text, { type: 'image' }), ...tokens('text') },
  ])
    expect(await pollTold('completed', more)).toEqual(without)
  for (const video of [{ data: 'AAAA' }, { uri: 'ftp://a/b' }])
    expect(await pollTold('completed', { ...output({ type: 'video', ...video }), ...tokens('text') })).toEqual({
      ...{ status: 'running', unknownWord: 'completed with a video that has no URL' },
    })
})

test('an id that Google doesn’t know is missing, as is somebody else’s; an answer about another, or of another kind, is none', async () => {
  const missing = { status: 'missing' } as const
  expect([await pollOf({}), await pollOf({}, operation)]).toEqual([missing, missing])
  const invalid = json(400, fault('invalid_request', undefined, { message: 'Invalid interaction name: v1_abc' }))
  expect(await pollOf({ [`interactions/${id}`]: invalid })).toEqual(missing)
  expect(await pollOf({ [`interactions/${id}`]: json(200, { id, status: 'completed' }) })).toEqual(missing)
  expect(await pollOf({ [`interactions/${id}`]: told('completed', { labels: { attempt: 'at_2' } }) })).toEqual(missing)
  for (const answer of [
    ...[json(400, fault(400, 'INVALID_ARGUMENT')), json(401, fault(401)), json(403, fault(403)), json(404, {}), json(429, fault(429))],
    ...[json(500, fault(500)), json(200, {}), told('completed', { id: 'v1_other' }), json(200, { name: `${name}2` })],
  ]) {
    await expect(pollOf({ [`interactions/${id}`]: answer })).rejects.toThrow(MakerTrouble)
    await expect(pollOf({ [name]: answer }, operation)).rejects.toThrow(MakerTrouble)
  }
})

test('one without an answer voids no other', async () => {
  const { maker } = answering({ [name]: json(200, { name }), [`interactions/${id}`]: json(500, {}) })
  expect(await maker.poll([interaction, operation], signal)).toEqual([undefined, { status: 'running' }])
})

test('whose an interaction is can be asked, whose an operation is can’t, and what is no id is asked of nobody', async () => {
  const { maker, asked } = answering({ [name]: json(200, { name }), [`interactions/${id}`]: told('in_progress') })
  expect(await maker.identify(interaction, signal)).toEqual({ attemptId })
  expect(await maker.identify(operation, signal)).toEqual({ attemptId: null })
  expect(await maker.identify({ ...operation, makerTaskId: 'v1_unknown' }, signal)).toBeUndefined()
  const before = asked.length
  for (const makerTaskId of ['../models', 'a b', 'models/x/operations', ''])
    expect(await maker.identify({ ...operation, makerTaskId }, signal)).toBeUndefined()
  expect([asked.length, maker.lookUp]).toEqual([before, undefined])
})

test('an output comes from the public internet, and the key is for Google’s own origin', () => {
  const { outputOrigins, outputCredential } = connectGoogle({
    url: 'https://generativelanguage.googleapis.com/v1beta',
    key: 'the-key',
    ...bounds,
  })
  expect(outputOrigins).toEqual([])
  const origin = 'https://generativelanguage.googleapis.com'
  expect(outputCredential).toEqual({ origin, header: 'x-goog-api-key', value: 'the-key' })
  const face = connectGoogle({ url: 'http://127.0.0.1:4105/google/v1beta', key: 'the-key', ...bounds })
  expect(face.outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by a list of models, of which one is enough', async () => {
  const checked = async (answer: Response) => {
    const { maker, asked } = answeringAll(answer)
    const result = await maker.checkKey(signal)
    expect(asked).toMatchObject([{ method: 'GET', path: '/v1beta/models?pageSize=1', key: 'the-key' }])
    return result
  }
  expect(await checked(json(200, { models: [] }))).toBe('accepted')
  for (const status of [401, 403]) expect(await checked(json(status, fault(status)))).toBe('refused')
  expect(await checked(json(400, fault(400, 'INVALID_ARGUMENT', { details: [{ reason: 'API_KEY_INVALID' }] })))).toBe('refused')
  for (const answer of [json(400, fault(400)), json(500, {}), json(429, {}), new Response('<html>', { status: 200 })])
    await expect(checked(answer)).rejects.toThrow(MakerTrouble)
})
