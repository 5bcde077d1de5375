import { afterAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ProviderTrouble } from '../call'
import type { Connector, Submission } from '../connector'
import { connectMiniMax } from './connect-minimax'

type ProviderRequest = { method: string; path: string; authorization: string | null; body: unknown }

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** MiniMax, answering everything so. */
function answering(answer: Response): { provider: Connector; asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'POST' ? await request.json() : undefined
      asked.push({ method: request.method, path: `${pathname}${search}`, authorization: request.headers.get('authorization'), body })
      return answer.clone() as Response
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}`
  return { provider: connectMiniMax({ url, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), asked }
}

const { signal } = new AbortController()
const id = '424010985738629'
const h3: Submission = {
  attemptId: 'at_1',
  providerModel: 'MiniMax-H3',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 5, resolution: '2k', aspectRatio: '16:9' }),
  mapping: {
    fields: {
      prompt: 'text',
      duration: 'duration',
      resolution: { field: 'resolution', values: { '2k': '2K' } },
      aspect_ratio: 'ratio',
      watermark: { values: { false: null } },
      image_url: 'first_frame',
      end_image_url: 'last_frame',
      reference_image_urls: { field: 'reference_image', items_max: 9 },
      reference_video_urls: { field: 'reference_video', items_max: 3 },
      reference_audio_urls: { field: 'reference_audio', items_max: 3 },
    },
    always: {},
  },
  media: [],
  callbackUrl: 'https://api.example/hooks/minimax/at_1',
}
const hailuo: Submission = {
  ...h3,
  providerModel: 'MiniMax-Hailuo-2.3',
  order: create(OrderSchema, { prompt: 'a boat', durationSeconds: 6, resolution: '768p', aspectRatio: 'adaptive' }),
  mapping: {
    fields: {
      prompt: 'prompt',
      duration: 'duration',
      resolution: { field: 'resolution', values: { '768p': '768P' } },
      aspect_ratio: { values: { adaptive: null } },
      watermark: { values: { false: null } },
      image_url: 'first_frame_image',
    },
    always: {},
  },
  callbackUrl: undefined,
}
const json = (status: number, body: unknown) => Response.json(body, { status })
const coded = (code: number, more: object = { task_id: '' }) =>
  json(200, { ...more, base_resp: { status_code: code, status_msg: 'words' } })
const error = (status: number, type: string, message = 'words') =>
  json(status, { type: 'error', error: { type, message, http_code: String(status) }, request_id: '1' })

test('H3 is asked for a list of content, on its own path, with the scheme of authorization and the callback', async () => {
  const { provider, asked } = answering(json(200, { task_id: id }))
  expect(await provider.submit(h3, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  expect(asked).toEqual([
    {
      ...{ method: 'POST', path: '/v2/video_generation', authorization: 'Bearer the-key' },
      body: {
        ...{ model: 'MiniMax-H3', content: [{ type: 'text', text: 'a boat' }], resolution: '2K', duration: 5, ratio: '16:9' },
        callback_url: 'https://api.example/hooks/minimax/at_1',
      },
    },
  ])
})

test('H3’s media are entries with their roles, references in the order of the request', async () => {
  const { provider, asked } = answering(json(200, { task_id: id }))
  const handed = (field: string, index = 0) => ({ kind: MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` })
  const contentOf = async (...media: Submission['media']) => {
    await provider.submit({ ...h3, media }, signal)
    const { content } = (asked.at(-1)?.body ?? { content: [] }) as { content: unknown[] }
    return content.slice(1)
  }
  expect(await contentOf(handed('end_image_url'), handed('image_url'))).toEqual([
    { type: 'image_url', image_url: { url: 'https://ours.example/image_url/0' }, role: 'first_frame' },
    { type: 'image_url', image_url: { url: 'https://ours.example/end_image_url/0' }, role: 'last_frame' },
  ])
  const references = ['reference_audio_urls', 'reference_video_urls', 'reference_image_urls'].map(field => handed(field))
  expect(await contentOf(handed('reference_image_urls', 1), ...references)).toEqual([
    { type: 'image_url', image_url: { url: 'https://ours.example/reference_image_urls/0' }, role: 'reference_image' },
    { type: 'image_url', image_url: { url: 'https://ours.example/reference_image_urls/1' }, role: 'reference_image' },
    { type: 'video_url', video_url: { url: 'https://ours.example/reference_video_urls/0' }, role: 'reference_video' },
    { type: 'audio_url', audio_url: { url: 'https://ours.example/reference_audio_urls/0' }, role: 'reference_audio' },
  ])
})

test('Hailuo is asked with a flat body, on its own path', async () => {
  const { provider, asked } = answering(coded(0, { task_id: id }))
  const media = [{ kind: MediaKind.IMAGE, field: 'image_url', index: 0, url: 'https://ours.example/a' }]
  expect(await provider.submit({ ...hailuo, media }, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
  const body = {
    model: 'MiniMax-Hailuo-2.3',
    prompt: 'a boat',
    duration: 6,
    resolution: '768P',
    first_frame_image: 'https://ours.example/a',
  }
  expect(asked).toEqual([{ method: 'POST', path: '/v1/video_generation', authorization: 'Bearer the-key', body }])
})

test('a submit that is answered with a page or a redirect may have been taken', async () => {
  const redirect = new Response('{}', { status: 307, headers: { location: 'https://elsewhere.example/' } })
  for (const answer of [redirect, new Response('<html>', { status: 400 })])
    for (const submission of [h3, hailuo])
      expect(await answering(answer).provider.submit(submission, signal)).toMatchObject({ outcome: 'unknown' })
})

test('a MiniMax that can’t be reached was never asked', async () => {
  const provider = connectMiniMax({ url: 'http://127.0.0.1:1', key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 })
  expect(await provider.submit(h3, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('an output comes from the public internet, unless MiniMax is a stand-in on this machine', () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500 }
  expect(connectMiniMax({ url: 'https://api.minimax.io', ...bounds }).outputOrigins).toEqual([])
  expect(connectMiniMax({ url: 'http://127.0.0.1:4105/minimax', ...bounds }).outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by the list of H3’s tasks', async () => {
  const { provider, asked } = answering(json(200, { items: [], total: 0 }))
  expect(await provider.checkKey(signal)).toBe('accepted')
  expect(asked).toMatchObject([
    { method: 'GET', path: '/v2/query/video_generation?page_num=1&page_size=1', authorization: 'Bearer the-key' },
  ])
  const checked = (answer: Response) => answering(answer).provider.checkKey(signal)
  for (const answer of [error(401, 'authorized_error'), json(403, {}), coded(1004), coded(2049)])
    expect(await checked(answer)).toBe('refused')
  for (const answer of [json(200, {}), coded(1002), error(500, 'server_error'), error(429, 'rate_limit_error'), new Response('<html>')])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})
