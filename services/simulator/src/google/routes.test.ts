import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RuleRequest } from '../behaviour/behaviour'
import { testKey } from '../testing/client'
import { colourAt, makeMedia, probe } from '../testing/media'
import { startTestSimulator } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const keyed = { 'x-goog-api-key': testKey }

async function google(path: string, body?: unknown, headers: Record<string, string> = keyed) {
  const url = path.startsWith('http') ? path : `${simulator.origin}/google/v1beta/${path}`
  const init = body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }
  const answer = await fetch(url, { ...init, headers: { 'content-type': 'application/json', ...headers } })
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at what its answer has.
  return { status: answer.status, body: (await answer.json()) as any }
}

const submitPath = 'models/veo-3.1-fast-generate-preview:predictLongRunning'
const veo = (instance: object = {}, parameters: object = {}, more: object = {}) => ({
  ...{ instances: [{ prompt: `words ${crypto.randomUUID()}`, ...instance }], parameters: { durationSeconds: 4, ...parameters } },
  ...more,
})
const omni = (changes: object = {}) => ({
  ...{ model: 'gemini-omni-1.1-flash', input: `words ${crypto.randomUUID()}`, background: true },
  ...{ response_format: { type: 'video', delivery: 'uri', resolution: '360p', duration: '3s' }, labels: { attempt: 'at_1' }, ...changes },
})

const behave = (prompt: string, behaviours: RuleRequest['behaviours']) =>
  simulator.post('/admin/behaviours', { match: { prompt_includes: prompt }, behaviours })

/** Submits one that meets these behaviours. */
async function submitVeo(behaviours: RuleRequest['behaviours'], body = veo()) {
  await behave(body.instances[0]?.prompt ?? '', behaviours)
  return google(submitPath, body)
}
async function submitOmni(behaviours: RuleRequest['behaviours'], body = omni()) {
  await behave(body.input, behaviours)
  return google('interactions', body)
}

/** Asks until it has ended. */
async function ended(path: string) {
  for (;;) {
    const answer = await google(path)
    if (answer.status !== 200 || answer.body.done || ['completed', 'failed'].includes(answer.body.status)) return answer
    await Bun.sleep(20)
  }
}

test('an operation is its name alone until it is done, and then has a video that the key opens', async () => {
  const { status, body } = await submitVeo([{ name: 'instant' }])
  expect([status, Object.keys(body)]).toEqual([200, ['name']])
  expect(body.name).toMatch(/^models\/veo-3\.1-fast-generate-preview\/operations\/[0-9a-f]{32}$/)
  const { done, response } = (await ended(body.name)).body
  const uri = response.generateVideoResponse.generatedSamples[0].video.uri
  expect([done, uri]).toEqual([true, `${simulator.origin}/google/v1beta/files/${body.name.split('/').pop()}:download?alt=media`])
  const video = await fetch(uri, { headers: keyed })
  expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(await google(uri, undefined, {})).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } })
  const running = await submitVeo([{ name: 'never_finishes' }])
  expect((await google(running.body.name)).body).toEqual({ name: running.body.name })
})

test('an interaction repeats its labels, and its video is a file that is worked on when it is asked about first', async () => {
  const { status, body } = await submitOmni([{ name: 'instant' }])
  expect([status, body]).toMatchObject([200, { object: 'interaction', status: 'in_progress', labels: { attempt: 'at_1' } }])
  const { steps, labels, status: word } = (await ended(`interactions/${body.id}`)).body
  const [{ type, content }] = steps
  expect([word, labels, type, content[0].type]).toEqual(['completed', { attempt: 'at_1' }, 'model_output', 'video'])
  const file = content[0].uri.split(':download')[0]
  const states = [await google(file), await google(file)].map(answer => answer.body.state)
  expect(states).toEqual(['PROCESSING', 'ACTIVE'])
  expect((await fetch(content[0].uri, { headers: keyed })).status).toBe(200)
})

test('clients that ask at v1 are answered there as at v1beta', async () => {
  const body = omni()
  await behave(body.input, [{ name: 'instant' }])
  const v1 = `${simulator.origin}/google/v1`
  const { id } = (await google(`${v1}/interactions`, body)).body
  expect((await ended(`${v1}/interactions/${id}`)).body).toMatchObject({ id, status: 'completed' })
})

test('each submit is another generation, whatever its label', async () => {
  const body = omni()
  const answers = [await submitOmni([{ name: 'never_finishes' }], body), await submitOmni([{ name: 'never_finishes' }], body)]
  expect(new Set(answers.map(answer => answer.body.id)).size).toBe(2)
})

test('pictures are read from the request, and are what they were said to be in the video', async () => {
  const path = `/tmp/google-${crypto.randomUUID()}`
  const drawn = await makeMedia(`${path}.png`, 'color=red:s=320x180', '-frames:v', '1')
  const data = Buffer.from(await Bun.file(drawn).bytes()).toString('base64')
  const image = { bytesBase64Encoded: data, mimeType: 'image/png' }
  const { body } = await google(submitPath, veo({ image }))
  const uri = (await ended(body.name)).body.response.generateVideoResponse.generatedSamples[0].video.uri
  const made = `${path}.mp4`
  await Bun.write(made, await fetch(uri, { headers: keyed }))
  expect(await probe(made)).toMatchObject({ width: 1280, height: 720, audio: 'aac' })
  const [red = 0, green = 0, blue = 0] = await colourAt(made, 0.1, '64:64:600:20')
  expect([red > 150, green < 90, blue < 90]).toEqual([true, true, true])
  for (const one of [
    { ...image, bytesBase64Encoded: 'AAAAAAAA' },
    { ...image, mimeType: 'image/jpeg' },
    { ...image, bytesBase64Encoded: `${data}!` },
  ])
    expect(await google(submitPath, veo({ image: one }))).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
})

test('another scheme, another key and none are told apart', async () => {
  const asked = async (headers: Record<string, string>) => {
    const { status, body } = await google('models', undefined, headers)
    return [status, body.error?.status, body.error?.details?.[0]?.reason]
  }
  expect(await asked({ authorization: `Bearer ${testKey}` })).toEqual([401, 'UNAUTHENTICATED', undefined])
  expect(await asked({ ...keyed, authorization: `Key ${testKey}` })).toEqual([401, 'UNAUTHENTICATED', undefined])
  expect(await asked({})).toEqual([403, 'PERMISSION_DENIED', undefined])
  expect(await asked({ 'x-goog-api-key': 'another' })).toEqual([400, 'INVALID_ARGUMENT', 'API_KEY_INVALID'])
  expect(await asked(keyed)).toEqual([200, undefined, undefined])
  expect((await google(submitPath, veo(), { 'x-goog-api-key': 'another' })).status).toBe(400)
})

const png = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1').toString('base64')
const image = { bytesBase64Encoded: png, mimeType: 'image/png' }

test.each<[string, object]>([
  ['an unknown field', veo({}, {}, { mood: 'calm' })],
  ['an unknown parameter', veo({}, { seed: 7 })],
  ['sound as a parameter', veo({}, { generateAudio: false })],
  ['an address in a picture’s place', veo({ image: { gcsUri: 'gs://a/b' } })],
  ['two instances', { instances: [{ prompt: 'a' }, { prompt: 'b' }], parameters: {} }],
  ['no prompt', { instances: [{}], parameters: {} }],
  ['a length that isn’t one of three', veo({}, { durationSeconds: 5 })],
  ['a length in quotes', veo({}, { durationSeconds: '8' })],
  ['a shorter video than 1080p has', veo({}, { durationSeconds: 4, resolution: '1080p' })],
  ['another ratio', veo({}, { aspectRatio: '1:1' })],
  ['a last frame without a first one', veo({ lastFrame: image }, { durationSeconds: 8 })],
  ['a frame and references', veo({ image, referenceImages: [{ image, referenceType: 'asset' }] }, { durationSeconds: 8 })],
  ['a reference of another kind', veo({ referenceImages: [{ image, referenceType: 'style' }] }, { durationSeconds: 8 })],
  ['labels', veo({}, {}, { labels: { attempt: 'at_1' } })],
])('Veo doesn’t take %s', async (_, body) => {
  expect(await google(submitPath, body)).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
})

const picture = { type: 'image', data: png, mime_type: 'image/png' }
const task = (name: string) => ({ generation_config: { video_config: { task: name } } })
const text = (words: string) => ({ type: 'text', text: words })

test.each<[string, object]>([
  ['an unknown field', omni({ mood: 'calm' })],
  ['an answer that waits for the video', omni({ background: false })],
  ['an interaction that isn’t stored', omni({ store: false })],
  ['a number for a length', omni({ response_format: { type: 'video', delivery: 'uri', duration: 10 } })],
  ['a length beyond ten seconds', omni({ response_format: { type: 'video', delivery: 'uri', duration: '11s' } })],
  ['another size', omni({ response_format: { type: 'video', delivery: 'uri', resolution: '480p' } })],
  ['a video within the answer', omni({ response_format: { type: 'video', delivery: 'inline' } })],
  ['an unknown task', omni(task('dream'))],
  ['a label in capitals', omni({ labels: { attempt: 'AT_1' } })],
  ['a label’s key that begins with a digit', omni({ labels: { '1': 'a' } })],
  ['a picture by address', omni({ input: [{ type: 'image', uri: 'https://a.example/a.png' }, text('a')] })],
  ['a picture whose place nothing says', omni({ input: [picture, text('a boat')] })],
  ['a picture for text alone', omni({ input: [picture, text('a boat')], ...task('text_to_video') })],
  ['more declared than sent', omni({ input: [picture, text('[# Sources <FIRST_FRAME>@Image1 <LAST_FRAME>@Image2] a boat')] })],
  [
    'a task that the pictures contradict',
    omni({ input: [picture, text('[# References <IMAGE_REF_0>@Image1] a')], ...task('image_to_video') }),
  ],
  ['no words', omni({ input: [picture], ...task('image_to_video') })],
])('Omni doesn’t take %s', async (_, body) => {
  expect(await google('interactions', body)).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
})

test('what nobody has is not found: a model, a path, an id, another model’s operation', async () => {
  const { name } = (await submitVeo([{ name: 'never_finishes' }])).body
  const { id } = (await submitOmni([{ name: 'never_finishes' }])).body
  expect((await google('models/veo-2.0:predictLongRunning', veo())).status).toBe(404)
  expect((await google('interactions', omni({ model: 'gemini-omni-9' }))).status).toBe(404)
  expect((await google('agents', {})).status).toBe(404)
  for (const path of [
    ...[name.replace('fast-', ''), name.replace(/[0-9a-f]{32}$/, 'a'), `interactions/${name.split('/').pop()}`, 'interactions/v1_a'],
    ...[`models/veo-3.1-fast-generate-preview/operations/${id}`, `files/${name.split('/').pop()}`, 'files/a', 'voices'],
  ])
    expect(await google(path)).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } })
  expect((await google('interactions', '{')).status).toBe(400)
})

test('what fails after acceptance is told in each format’s own way', async () => {
  const veoOf = async (behaviour: RuleRequest['behaviours'][number]) => (await ended((await submitVeo([behaviour])).body.name)).body
  const omniOf = async (behaviour: RuleRequest['behaviours'][number]) =>
    (await ended(`interactions/${(await submitOmni([behaviour])).body.id}`)).body
  expect(await veoOf({ name: 'fails_after_accept' })).toMatchObject({ done: true, error: { code: 13 } })
  expect(await veoOf({ name: 'moderated' })).toMatchObject({ response: { generateVideoResponse: { raiMediaFilteredCount: 1 } } })
  expect(await omniOf({ name: 'fails_after_accept' })).toMatchObject({ status: 'failed', errors: [{ code: 'internal_error' }] })
  const { status, steps, usage } = await omniOf({ name: 'moderated' })
  expect([status, steps[0].content[0].type, usage.output_tokens_by_modality[0].modality]).toEqual(['completed', 'text', 'text'])
  expect((await omniOf({ name: 'ignore_token' })).labels).toBeUndefined()
})

test('a refusal has the code and the status of its kind', async () => {
  const refusedWith = async (code: string) => {
    const { status, body } = await submitVeo([{ name: 'refuse', code: code as 'forbidden' }])
    return [status, body.error.status]
  }
  expect(await refusedWith('balance_exhausted')).toEqual([400, 'FAILED_PRECONDITION'])
  expect(await refusedWith('too_many_requests')).toEqual([429, 'RESOURCE_EXHAUSTED'])
  expect(await refusedWith('content_rejected')).toEqual([400, 'INVALID_ARGUMENT'])
  expect(await refusedWith('not_found')).toEqual([404, 'NOT_FOUND'])
  expect((await submitOmni([{ name: '500_before_accept' }])).status).toBe(500)
})

test('a request’s own webhook is told that it has ended', async () => {
  const called: unknown[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      called.push(await request.json())
      return new Response()
    },
  })
  const uris = [`http://127.0.0.1:${server.port}/`]
  const { id } = (await submitOmni([{ name: 'instant' }], omni({ webhook_config: { uris } }))).body
  const { name } = (await submitVeo([{ name: 'instant' }], veo({}, {}, { webhookConfig: { uris } }))).body
  for (let tries = 0; called.length < 2 && tries < 100; tries++) await Bun.sleep(50)
  expect(called).toContainEqual({ type: 'interaction.completed', version: 'v1', data: { id } })
  expect(called).toContainEqual({ type: 'video.generated', version: 'v1', data: { id: name } })
  await server.stop(true)
})
