import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { newAttemptId } from '../../testing/attempt-id'
import { ProviderTrouble } from '../call'
import type { Connector, Submission } from '../connector'
import { generating } from '../mapping/running'
import { connectPixverse } from './connect-pixverse'
import { traceIdOf } from './request-body'

type ProviderRequest = { method: string; path: string; key: string | null; traceId: string | null; body: unknown }

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** PixVerse, answering everything so. */
function answering(answer: (path: string) => Response): { provider: Connector; asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const body = request.method === 'POST' ? await request.json() : undefined
      const { headers, method } = request
      asked.push({ method, path: pathname, key: headers.get('api-key'), traceId: headers.get('ai-trace-id'), body })
      return answer(pathname)
    },
  })
  servers.push(server)
  return { provider: connect(`http://127.0.0.1:${server.port}/openapi/v2`), asked }
}

const connect = (url: string) =>
  connectPixverse({ url, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000, uploadTimeoutMs: 10_000 })

const { signal } = new AbortController()
const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
const id = '343252978602905'
const submission: Submission = {
  attemptId,
  providerModel: 'transition/v6',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '1080p', aspectRatio: 'adaptive', generateAudio: false }),
  mapping: {
    fields: {
      prompt: 'prompt',
      duration: { field: 'duration', min: 1, max: 15 },
      resolution: { field: 'quality', values: ['1080p'] },
      aspect_ratio: { values: { adaptive: null } },
      generate_audio: 'generate_audio_switch',
      watermark: 'water_mark',
      image_url: 'first_frame_img',
      end_image_url: 'last_frame_img',
    },
    always: {},
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/pixverse/at_1',
}
const handed = (field: string, url: string) => ({ kind: MediaKind.IMAGE, field, index: 0, url })
const json = (status: number, body: unknown) => Response.json(body, { status })
const told = (Resp: unknown, ErrCode = 0) => json(200, { ErrCode, ErrMsg: 'words', Resp })
const fault = (ErrCode: number, status = 200) => json(status, { ErrCode, ErrMsg: 'words', Resp: null })
const submitTo = (answer: Response) => answering(() => answer.clone() as Response).provider.submit(submission, signal)
const polled = { attemptId, providerTaskId: id, providerModel: submission.providerModel, echoed: false }
const pollOf = async (answer: Response) => (await answering(() => answer.clone() as Response).provider.poll([polled], signal))[0]
const video = (more: object) => told({ id: Number(id), ...more })

test('an attempt’s id is the UUID of its submit', () => {
  expect(traceIdOf(attemptId)).toBe('0190f3c4-a1b2-7cd2-8ef0-123456789abc')
  expect(traceIdOf(newAttemptId())).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(() => traceIdOf('at_1')).toThrow()
})

test('a submit goes to the kind of its route under the attempt’s own trace id, with images by their numbers', async () => {
  const { provider, asked } = answering(() => told({ video_id: Number(id), credits: 45 }))
  const media = [handed('end_image_url', '12'), handed('image_url', '11')]
  expect(await provider.submit({ ...submission, media }, signal)).toEqual({
    ...{ outcome: 'accepted', providerTaskId: id, echoed: false, billed: { microUnits: 45_000_000 } },
  })
  expect(asked).toEqual([
    {
      ...{ method: 'POST', path: '/openapi/v2/video/transition/generate', key: 'the-key', traceId: traceIdOf(attemptId) },
      body: {
        ...{ model: 'v6', prompt: 'a boat', duration: 5, quality: '1080p', generate_audio_switch: false, water_mark: false },
        ...{ first_frame_img: 11, last_frame_img: 12 },
      },
    },
  ])
})

test('what wasn’t uploaded is named to nobody', async () => {
  const { provider, asked } = answering(() => told({ video_id: 1 }))
  await expect(provider.submit({ ...submission, media: [handed('image_url', 'https://ours.example/a')] }, signal)).rejects.toThrow()
  await expect(provider.submit({ ...submission, providerModel: 'v6' }, signal)).rejects.toThrow()
  expect(asked).toEqual([])
})

test('an id is text from then on: a number that was read whole, or what is text already', async () => {
  expect(await submitTo(told({ video_id: Number.MAX_SAFE_INTEGER }))).toMatchObject({ providerTaskId: '9007199254740991' })
  expect(await submitTo(told({ video_id: '4-WandVideo-4ba3' }))).toMatchObject({ outcome: 'accepted', providerTaskId: '4-WandVideo-4ba3' })
  const answer = new Response('{"ErrCode":0,"ErrMsg":"","Resp":{"video_id":9007199254740993}}')
  expect(await submitTo(answer)).toEqual({ outcome: 'unknown', cause: 'answered 200 without an id' })
})

test.each<[string, () => Response]>([
  ['no id', () => told({})],
  ['an id of nothing', () => told({ video_id: 0 })],
  ['an id that no URL can hold', () => told({ video_id: '../../x' })],
  ['nothing', () => json(200, {})],
  ['nothing beside success', () => json(200, { ErrCode: 0 })],
  ['a code that is no number', () => json(200, { ErrCode: '0', Resp: { video_id: 1 } })],
  ['a fault of its database', () => fault(500100)],
  ['high load', () => fault(500069)],
  ['an unknown error', () => fault(99999)],
  ['something that it doesn’t find', () => fault(500008)],
  ['a code that nobody knows', () => fault(600001)],
  ['400 without a code', () => json(400, {})],
  ['404', () => json(404, {})],
  ['408', () => json(408, {})],
  ['409', () => json(409, {})],
  ['500, whatever its code', () => fault(400017, 500)],
  ['503', () => json(503, {})],
  ['a redirect', () => new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })],
  ['a page', () => new Response('<html>')],
])('a submit that is answered with %s may have been taken', async (_, answer) => {
  expect(await submitTo(answer())).toMatchObject({ outcome: 'unknown' })
})

test('a submit of which no video was made is refused: its key, its balance, its form, the rate, the content', async () => {
  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  expect(await submitTo(fault(10001, 401))).toMatchObject({ ...refused, cause: 'answered 401 10001' } as never)
  expect(await submitTo(json(429, {}))).toEqual({ ...refused, cause: 'answered 429 no ErrCode' } as never)
  for (const code of [10003, 400011, 400012, 400013, 400017, 400018, 400032, 500020, 500044, 500090])
    expect(await submitTo(fault(code))).toMatchObject({ ...refused, cause: `answered 200 ${code}` } as never)
  expect(await submitTo(fault(400017, 400))).toMatchObject(refused)
  for (const code of [500054, 500063]) expect(await submitTo(fault(code))).toMatchObject({ outcome: 'refused', code: 'prompt_rejected' })
})

test('a PixVerse that can’t be reached was never asked', async () => {
  expect(await connect('http://127.0.0.1:1/openapi/v2').submit(submission, signal)).toMatchObject({
    ...{ outcome: 'refused', cause: 'not sent: ECONNREFUSED' },
  })
})

test('a poll asks for one video under a trace id that no other request has, and reads its status', async () => {
  const url = 'https://media.pixverse.ai/openapi/output.mp4'
  const { provider, asked } = answering(() => video({ status: 1, url }))
  expect(await provider.poll([polled], signal)).toEqual([{ status: 'succeeded', outputUrl: url }])
  await provider.poll([polled], signal)
  const traceId = expect.stringMatching(/^[0-9a-f-]{36}$/)
  const once = { method: 'GET', path: `/openapi/v2/video/result/${id}`, key: 'the-key', traceId, body: undefined }
  expect(asked).toEqual([once, once])
  expect(new Set([...asked.map(one => one.traceId), traceIdOf(attemptId)]).size).toBe(3)
  for (const status of [2, 3, 5]) expect(await pollOf(video({ status, url: '' }))).toEqual(generating())
  for (const status of [4, 6, 0, -1]) expect(await pollOf(video({ status }))).toEqual({ status: 'running', unknownWord: String(status) })
  for (const bad of [undefined, '', 7, 'https://a.example/a b', 'ftp://a/b'])
    expect(await pollOf(video({ status: 1, url: bad }))).toEqual({ status: 'running', unknownWord: '1 without a URL' })
})

test('a failure is what its status says', async () => {
  expect(await pollOf(video({ status: 7 }))).toEqual({ status: 'failed', code: 'output_moderated', cause: 'failed: status 7' })
  expect(await pollOf(video({ status: 8 }))).toEqual({ status: 'failed', code: 'generation_failed', cause: 'failed: status 8' })
})

/** As get-video-generation-status shows it, with an id and an address in the place of its placeholders. */
test('the answer on PixVerse’s page is read as it says', async () => {
  const onPage = {
    ...{ create_time: 'string', id: Number(id), modify_time: 'string', negative_prompt: 'string', outputHeight: 0, outputWidth: 0 },
    ...{ prompt: 'string', resolution_ratio: 0, seed: 0, size: 0, status: 5, style: 'string', url: 'string' },
  }
  expect(await pollOf(told(onPage))).toEqual(generating())
  const done = { ...onPage, status: 1, url: 'https://media.pixverse.ai/a.mp4' }
  expect(await pollOf(told(done))).toMatchObject({ status: 'succeeded' })
})

test('an id that PixVerse doesn’t know is missing; what says something of the call alone, or of another video, is no answer', async () => {
  expect(await pollOf(fault(500008))).toEqual({ status: 'missing' })
  const answers = [
    ...[fault(10001, 401), fault(500020), fault(500100), fault(99999), fault(500008, 500), json(404, {}), json(429, {}), json(500, {})],
    ...[json(200, {}), told(null), told({}), told({ id: 7, status: 1 }), video({ status: '1' }), new Response('<html>')],
  ]
  for (const answer of answers) await expect(pollOf(answer)).rejects.toThrow(ProviderTrouble)
})

test('one without an answer voids no other', async () => {
  const { provider } = answering(path => (path.endsWith('/b') ? json(500, {}) : video({ status: 5 })))
  expect(await provider.poll([{ ...polled, providerTaskId: 'b' }, polled], signal)).toEqual([undefined, generating()])
})

test('whether an id is PixVerse’s can be asked, and whose it is can’t: it repeats none of ours', async () => {
  const identified = (answer: Response) => answering(() => answer.clone() as Response).provider.identify(polled, signal)
  expect(await identified(video({ status: 5 }))).toEqual({ attemptId: null })
  expect(await identified(fault(500008))).toBeUndefined()
  await expect(identified(fault(99999))).rejects.toThrow(ProviderTrouble)
  expect(connect('http://127.0.0.1:1').lookUp).toBeUndefined()
})

test('an output comes from the public internet, unless PixVerse is a stand-in on this machine', () => {
  expect(connect('https://app-api.pixverse.ai/openapi/v2').outputOrigins).toEqual([])
  expect(connect('http://127.0.0.1:4105/pixverse/openapi/v2').outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by asking for the account’s balance', async () => {
  const checked = async (answer: Response) => {
    const { provider, asked } = answering(() => answer.clone() as Response)
    const result = await provider.checkKey(signal)
    expect(asked).toMatchObject([{ method: 'GET', path: '/openapi/v2/account/balance', key: 'the-key' }])
    return result
  }
  expect(await checked(told({ account_id: 1, credit_monthly: 0, credit_package: 0 }))).toBe('accepted')
  for (const answer of [fault(10001, 401), json(403, {}), fault(10003), fault(400012)]) expect(await checked(answer)).toBe('refused')
  for (const answer of [fault(99999), json(200, {}), json(429, {}), json(500, {})])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})
