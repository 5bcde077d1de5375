import { expect, test } from 'bun:test'
import { answerRendered } from '@filmgate/kit/http/answer-rendered'
import { rendered } from '@filmgate/kit/http/rendered'
import { testCard, testCatalog } from '../catalog/testing/cards'
import { oncePerCatalog, renderModels } from './render-models'

const catalog = testCatalog(testCard())
const [model] = JSON.parse(await renderModels(catalog).plain.text()).data

test('conditions are said in the schema, with what the default does where a field is left out', () => {
  const { schema } = model.modes['text-to-video']
  expect(schema.required).toEqual(['prompt'])
  expect(schema.additionalProperties).toBe(false)
  const when = '{"properties":{"resolution":{"const":"1080p"}},"required":["resolution"]}'
  const demand = '{"properties":{"duration":{"const":6}},"required":["duration"]}'
  expect(JSON.stringify(schema.allOf)).toBe(`[{"if":${when},"then":${demand}}]`)
  expect(model.modes['media-to-video'].schema.allOf).toEqual([
    {
      anyOf: [
        { properties: { reference_image_urls: { minItems: 1 } }, required: ['reference_image_urls'] },
        { properties: { reference_video_urls: { minItems: 1 } }, required: ['reference_video_urls'] },
      ],
    },
  ])
})

test('what the schema cannot say is a rule, with the defaults of what it reads', () => {
  expect(model.rules.find((rule: { rule: string }) => rule.rule === 'total_seconds')).toEqual({
    rule: 'total_seconds',
    modes: ['media-to-video'],
    message: 'duration plus the sum of reference_video_durations must be at most 20',
    left: [{ value: 'duration', default: 5 }, { sum: 'reference_video_durations' }],
    op: '<=',
    right: [20],
  })
  expect(model.rules.find((rule: { rule: string }) => rule.rule === 'video_durations_count')).toMatchObject({
    left: [{ count: 'reference_video_durations' }],
    op: '==',
    right: [{ count: 'reference_video_urls' }],
  })
})

test('a catalog is rendered once', () => {
  let renders = 0
  const render = oncePerCatalog(() => ++renders)
  expect([render(catalog), render(catalog), render(testCatalog(testCard()))]).toEqual([1, 1, 2])
})

function answer(headers: Record<string, string>) {
  const set: { status?: number | string; headers: Record<string, string | number> } = { headers: {} }
  const body = answerRendered(new Request('http://x/', { headers }), set, rendered('{"a":1}'), 'application/json', 'private, no-cache')
  return { status: set.status ?? 200, encoding: set.headers['content-encoding'], etag: String(set.headers.etag), body }
}

test('a client that has the answer is told so, whichever encoding it has', async () => {
  const plain = answer({})
  const zipped = answer({ 'accept-encoding': 'br;q=1, gzip' })
  expect([plain.encoding, zipped.encoding, plain.etag === zipped.etag]).toEqual([undefined, 'gzip', false])
  expect(Buffer.from(Bun.gunzipSync((await zipped.body?.arrayBuffer()) ?? new ArrayBuffer())).toString()).toBe('{"a":1}')
  for (const etag of [plain.etag, zipped.etag, `W/${plain.etag}`, `"other", ${plain.etag}`, '*'])
    expect(answer({ 'if-none-match': etag })).toMatchObject({ status: 304, body: undefined })
  expect(answer({ 'if-none-match': '"other"' }).status).toBe(200)
  expect(answer({ 'accept-encoding': 'gzip;q=0' }).encoding).toBeUndefined()
})
