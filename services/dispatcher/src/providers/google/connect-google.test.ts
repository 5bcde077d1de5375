import { expect, test } from 'bun:test'
import {
  answering,
  attemptId,
  bounds,
  fault,
  id,
  json,
  name,
  omni,
  picture,
  signal,
  submitPath,
  submitTo,
  told,
  veo,
} from '../../testing/answering-google'
import type { HandedMedia } from '../connector'
import { connectGoogle } from './connect-google'

test('Veo is one instance and its parameters, and its id the whole name of an operation', async () => {
  const { provider, asked } = answering({ [submitPath]: json(200, { name }) })
  const media = [picture('end_image_url'), picture('image_url')]
  expect(await provider.submit({ ...veo, media }, signal)).toEqual({ outcome: 'accepted', providerTaskId: name, echoed: false })
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
  const { provider, asked } = answering({ [submitPath]: json(200, { name }) })
  await provider.submit({ ...veo, media: [picture('reference_image_urls', 1), picture('reference_image_urls')] }, signal)
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
  const { provider, asked } = answering({ interactions: told('in_progress') })
  const words = omni.mapping && { ...omni.mapping, always: { task: 'text_to_video' } }
  expect(await provider.submit({ ...omni, mapping: words }, signal)).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: true })
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
  const { provider, asked } = answering({ interactions: told('in_progress') })
  await provider.submit({ ...omni, media }, signal)
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
  const accepted = { outcome: 'accepted', providerTaskId: id, echoed: true } as const
  expect(await submitTo({ ...omni, media }, told('in_progress', steps(1)))).toEqual(accepted)
  expect(await submitTo({ ...omni, media }, told('in_progress', steps(2)))).toMatchObject({ outcome: 'unknown' })
})

test('a label that isn’t repeated is no echo, and one of another attempt’s no acceptance', async () => {
  expect(await submitTo(omni, json(200, { id, status: 'in_progress' }))).toEqual({ outcome: 'accepted', providerTaskId: id, echoed: false })
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
    expect(await submitTo(veo, json(status, fault(status, word)))).toMatchObject({
      ...refused,
      cause: `answered ${status} ${word}`,
    } as never)
  expect(await submitTo(omni, json(400, fault('invalid_request')))).toMatchObject({ ...refused, cause: 'answered 400 invalid_request' })
  expect(await submitTo(omni, json(400, [fault(400, 'INVALID_ARGUMENT')]))).toMatchObject(refused)
  const message = 'The prompt contains words that violate Google’s Responsible AI practices.'
  for (const more of [{ message }, { status: 'PROHIBITED_CONTENT' }])
    expect(await submitTo(veo, json(400, fault(400, 'INVALID_ARGUMENT', more)))).toMatchObject({ code: 'prompt_rejected' })
  const blocked = fault(403, 'PERMISSION_DENIED', { message: 'This project has been blocked due to a violation of our Policy.' })
  expect(await submitTo(veo, json(403, blocked))).toMatchObject(refused)
})

test('a Google that can’t be reached was never asked', async () => {
  const provider = connectGoogle({ url: 'http://127.0.0.1:1/v1beta', key: 'k', ...bounds })
  expect(await provider.submit(veo, signal)).toMatchObject({ outcome: 'refused', cause: 'not sent: ECONNREFUSED' })
})

test('Veo is told to be closed, so that whoever routes to it hears of it at the start', () => {
  const { closedModel } = connectGoogle({ url: 'http://127.0.0.1:1', key: 'k', submitTimeoutMs: 1, readTimeoutMs: 1, uploadTimeoutMs: 1 })
  expect(closedModel?.('veo-3.1-fast-generate-preview')).toContain('Google offers Veo no more')
  expect(closedModel?.('gemini-omni-1.1-flash')).toBeUndefined()
})
