import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { answeringProvider, type ProviderRequest } from '../../testing/answering-provider'
import type { Connector, Submission } from '../connector'
import type { FieldMapping } from '../mapping/field-mapping'
import { connectArk } from './connect-ark'
import { modelAt } from './request-body'

const servers: { stop(): void }[] = []
afterAll(() => servers.forEach(server => void server.stop()))

/** Ark, answering everything so. */
function answering(answer: () => Response, marksAttempts = false): { provider: Connector; asked: ProviderRequest[] } {
  const server = answeringProvider(answer)
  servers.push(server)
  const options = { url: `${server.url}/api/v3/`, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000, marksAttempts }
  return { provider: connectArk(options), asked: server.asked }
}

const { signal } = new AbortController()
const tasks = '/api/v3/contents/generations/tasks'
const id = 'cgt-20250629201507-n6k56'
const attemptId = 'at_1'
const submission: Submission = {
  attemptId,
  providerModel: 'doubao-seedance-2-0-260128',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '1080p', aspectRatio: '16:9', generateAudio: true }),
  mapping: {
    fields: {
      ...{ prompt: 'prompt', duration: 'duration', resolution: 'resolution', aspect_ratio: 'ratio' },
      ...{ generate_audio: 'generate_audio', watermark: 'watermark', image_url: 'first_frame', end_image_url: 'last_frame' },
      reference_image_urls: { field: 'reference_image', items_max: 2 },
      reference_video_urls: { field: 'reference_video', items_max: 2 },
      reference_audio_urls: { field: 'reference_audio', items_max: 2 },
    },
    always: { generate_audio: false },
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/ark/at_1',
}
const json = (status: number, body: unknown) => Response.json(body, { status })
const refusal = (code: string, message = 'words') => ({ error: { code, message, param: '', type: 'BadRequest' } })
const submitTo = (answer: Response, marks = false) => answering(() => answer.clone() as Response, marks).provider.submit(submission, signal)
test('a submit is the model, a text and the fields of its route, with the length and the size that were ordered', async () => {
  const { provider, asked } = answering(() => json(200, { id }))
  expect(await provider.submit(submission, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  expect(asked).toEqual([
    {
      ...{ method: 'POST', path: tasks, authorization: 'Bearer the-key' },
      body: {
        ...{ model: 'doubao-seedance-2-0-260128', content: [{ type: 'text', text: 'a boat' }], duration: 5, resolution: '1080p' },
        ...{ ratio: '16:9', generate_audio: true, watermark: false, callback_url: 'https://api.example/hooks/ark/at_1' },
      },
    },
  ])
})

test('media are items of the content, each with what it is for', async () => {
  const { provider, asked } = answering(() => json(200, { id }))
  const contentOf = async (...fields: [MediaKind, string, number][]) => {
    const media = fields.map(([kind, field, index]) => ({ kind, field, index, url: `https://ours.example/${field}/${index}` }))
    await provider.submit({ ...submission, media }, signal)
    const body = asked.at(-1)?.body as { content: unknown[] } | undefined
    return body?.content.slice(1)
  }
  const { IMAGE, VIDEO, AUDIO } = MediaKind
  const ours = (field: string, index = 0) => ({ url: `https://ours.example/${field}/${index}` })
  expect(await contentOf([IMAGE, 'end_image_url', 0], [IMAGE, 'image_url', 0])).toEqual([
    { type: 'image_url', image_url: ours('image_url'), role: 'first_frame' },
    { type: 'image_url', image_url: ours('end_image_url'), role: 'last_frame' },
  ])
  const references: [MediaKind, string, number][] = [
    [AUDIO, 'reference_audio_urls', 0],
    [IMAGE, 'reference_image_urls', 1],
    [VIDEO, 'reference_video_urls', 0],
    [IMAGE, 'reference_image_urls', 0],
  ]
  expect(await contentOf(...references)).toEqual([
    { type: 'image_url', image_url: ours('reference_image_urls'), role: 'reference_image' },
    { type: 'image_url', image_url: ours('reference_image_urls', 1), role: 'reference_image' },
    { type: 'video_url', video_url: ours('reference_video_urls'), role: 'reference_video' },
    { type: 'audio_url', audio_url: ours('reference_audio_urls'), role: 'reference_audio' },
  ])
})

test('a prompt that holds a parameter of Ark’s is sent nowhere, on whatever model', async () => {
  const { provider, asked } = answering(() => json(200, { id }))
  const submitted = (prompt: string) =>
    provider.submit({ ...submission, order: create(OrderSchema, { ...submission.order, prompt }) }, signal)
  for (const prompt of [
    ...['a boat --dur 12', 'a boat --rs 1080p --rt 21:9', '--duration 30 a boat', 'a boat\n--resolution 4k', 'a boat\t--frames 289'],
    ...['a boat --DUR 12', 'a boat--dur 12', 'a boat.--rs=1080p', 'a boat --newer 1', '一艘船--dur 12', 'a --camerafixed true'],
  ])
    expect([prompt, await submitted(prompt)]).toMatchObject([
      prompt,
      { outcome: 'refused', code: 'generation_unavailable', cause: 'not sent: the prompt holds what Ark takes for a parameter' },
    ])
  expect(asked).toEqual([])
  for (const prompt of ['a boat -- then a storm', 'a well-known boat', 'it stops--then it goes', 'an m-dash — dur 12', '--', '-dur 12'])
    expect([prompt, await submitted(prompt)]).toMatchObject([prompt, { outcome: 'accepted' }])
})

test('without a length or a size, for which the model has dearer ones, nothing is sent', async () => {
  const { provider, asked } = answering(() => json(200, { id }))
  const cases: [string, FieldMapping][] = [
    ['duration', { values: { 5: null } }],
    ['duration', { field: 'duration', values: { 5: -1 } }],
    ['resolution', { values: { '1080p': null } }],
  ]
  for (const [field, word] of cases) {
    const words = { ...submission.mapping?.fields, [field]: word }
    const outcome = await provider.submit({ ...submission, mapping: { fields: words, always: {} } }, signal)
    expect(outcome).toMatchObject({ outcome: 'refused', cause: `not sent: the route says no ${field}` })
  }
  expect(asked).toEqual([])
})

test('BytePlus is asked under its own names of the models', () => {
  const there = (model: string) => modelAt('https://ark.ap-southeast.bytepluses.com/api/v3', model)
  expect(there('doubao-seedance-2-5-260628')).toBe('dreamina-seedance-2-5-260628')
  expect(there('doubao-seedance-1-5-pro-251215')).toBe('seedance-1-5-pro-251215')
  expect(there('ep-20250101-abcde')).toBe('ep-20250101-abcde')
  expect(modelAt('https://ark.cn-beijing.volces.com/api/v3', 'doubao-seedance-2-5-260628')).toBe('doubao-seedance-2-5-260628')
})

test.each<[string, () => Response]>([
  ['an id that no URL can hold', () => json(200, { id: '../../x' })],
  ['no id', () => json(200, {})],
  ['an error and 200', () => json(200, refusal('InvalidParameter'))],
  ['somebody else’s identifier', () => json(200, { id, safety_identifier: 'at_2' })],
  ['a redirect', () => new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['408', () => json(408, refusal('InvalidParameter'))],
  ['409', () => json(409, refusal('InvalidParameter'))],
  ['400 and a code that no page has', () => json(400, refusal('ContentSecurityDetectionError'))],
  ['400 and nothing of Ark’s', () => json(400, { message: 'Bad Request' })],
  ['404 and nothing of Ark’s', () => json(404, {})],
  ['500', () => json(500, refusal('InternalServiceError'))],
  ['503 and a code of a refusal', () => json(503, refusal('InvalidParameter'))],
  ['a page', () => new Response('<html>', { status: 400 })],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  expect(await submitTo(answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit that was not taken is refused: its key, its balance, its form, the rate, the content', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  expect(await submitTo(json(401, refusal('AuthenticationError')))).toMatchObject({
    ...refused,
    cause: 'answered 401 AuthenticationError',
  } as never)
  expect(await submitTo(json(403, refusal('AccountOverdueError')))).toMatchObject(refused)
  expect(await submitTo(json(404, refusal('InvalidEndpointOrModel.NotFound')))).toMatchObject(refused)
  expect(await submitTo(json(404, refusal('ModelNotOpen')))).toMatchObject(refused)
  expect(await submitTo(json(429, {}))).toEqual({ ...refused, cause: 'answered 429 no code' } as never)
  expect(await submitTo(json(400, refusal('InvalidParameter.TaskTypeConstraint')))).toEqual({
    ...{ ...refused, cause: 'answered 400 InvalidParameter.TaskTypeConstraint' },
  } as never)
  const unread = refusal('InvalidParameter', 'The parameter `content[1].image_url` is not valid: resource download failed. Request id: 1')
  expect(await submitTo(json(400, unread))).toMatchObject({ ...refused, inputsUnread: true })
  for (const code of [
    'InputTextSensitiveContentDetected',
    'InputImageSensitiveContentDetected.PrivacyInformation',
    'InputTextRiskDetection',
  ])
    expect(await submitTo(json(400, refusal(code)))).toMatchObject({ outcome: 'refused', code: 'prompt_rejected' })
})

test('an Ark that can’t be reached was never asked', async () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500, marksAttempts: false }
  const provider = connectArk({ url: 'http://127.0.0.1:1/api/v3', ...bounds })
  expect(await provider.submit(submission, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('a marked attempt is told back, or isn’t', async () => {
  const { provider, asked } = answering(() => json(200, { id, safety_identifier: attemptId }), true)
  expect(await provider.submit(submission, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: true })
  expect(asked[0]?.body).toMatchObject({ safety_identifier: attemptId })
  expect(await submitTo(json(200, { id }), true)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  expect([provider.capabilities.ownId, provider.capabilities.lookUp]).toEqual(['echoed', 'own-id-if-found'])
})
