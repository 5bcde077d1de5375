import { expect, test } from 'bun:test'
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { FieldKind, FieldSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { checkRequest } from './check-request'
import { compileCard } from './compile-card'
import { orderOf } from './order-of'
import type { GenerationRequest } from './request'
import { testCard, testCatalog } from './testing/cards'

const model = compileCard(testCard())
const request: GenerationRequest = { model: 'test-1', mode: 'text-to-video', prompt: 'x', duration: 5, resolution: '480p' }
const price = (change: Partial<GenerationRequest>) => model.price({ ...request, ...change })

test('seconds at the rate of their resolution and sound, rounded up once', () => {
  expect(price({})).toEqual({
    credits: 7,
    priceVersion: 'p1',
    billedSeconds: 5,
    breakdown: [{ item: 'output', quantity: 5, unit: 'second', rate: 1.3, credits: 7 }],
  })
  expect(price({ generate_audio: true }).credits).toBe(11)
  expect(price({ duration: 10 }).credits).toBe(13)
})

test('input seconds are added before rounding, and the lines sum to the total', () => {
  const { credits, breakdown } = price({ mode: 'media-to-video', reference_video_durations: [2, 3] })
  expect(credits).toBe(10)
  expect(breakdown.map(line => [line.item, line.quantity, line.credits])).toEqual([
    ['output', 5, 7],
    ['input_video', 5, 3],
  ])
})

test('a generation is one unit, whatever its length', () => {
  expect(price({ resolution: '1080p', duration: 10 })).toMatchObject({
    credits: 50,
    breakdown: [{ quantity: 1, unit: 'generation', rate: 50 }],
  })
})

test('the order carries every URL with its place, its kind and what was declared of it', () => {
  const media: GenerationRequest = {
    ...request,
    mode: 'media-to-video',
    reference_image_urls: ['https://a.example/i.png'],
    reference_video_urls: ['https://a.example/v.mp4', 'https://a.example/w.mp4'],
    reference_video_durations: [2, 3],
  }
  expect(toJson(OrderSchema, create(OrderSchema, orderOf(model, media, model.price(media))))).toEqual({
    model: 'test-1',
    mode: 'media-to-video',
    prompt: 'x',
    durationSeconds: 5,
    resolution: '480p',
    aspectRatio: 'adaptive',
    inputs: [
      { kind: 'MEDIA_KIND_IMAGE', field: 'reference_image_urls', url: 'https://a.example/i.png' },
      { kind: 'MEDIA_KIND_VIDEO', field: 'reference_video_urls', url: 'https://a.example/v.mp4', declaredSeconds: 2 },
      { kind: 'MEDIA_KIND_VIDEO', field: 'reference_video_urls', index: 1, url: 'https://a.example/w.mp4', declaredSeconds: 3 },
    ],
    mediaLimits: { kinds: [{ kind: 'MEDIA_KIND_VIDEO', formats: ['mp4'], bytesMax: '1000' }], totalBytesMax: '5000' },
    credits: '10',
    priceVersion: 'p1',
    cardVersion: 'c1',
    billedSeconds: 5,
    prices: [
      { item: 'PRICE_ITEM_OUTPUT', unit: 'PRICE_UNIT_SECOND', resolution: '480p', audio: false, microCredits: '1300000' },
      { item: 'PRICE_ITEM_OUTPUT', unit: 'PRICE_UNIT_SECOND', resolution: '480p', audio: true, microCredits: '2000001' },
      { item: 'PRICE_ITEM_OUTPUT', unit: 'PRICE_UNIT_GENERATION', resolution: '1080p', microCredits: '50000000' },
      { item: 'PRICE_ITEM_INPUT_VIDEO', unit: 'PRICE_UNIT_SECOND', resolution: '480p', microCredits: '700000' },
    ],
  })
})

type FieldInit = MessageInitShape<typeof FieldSchema>

/** The order of a body for the test card, whose text-to-video has these fields beside its own. */
function orderWith(fields: FieldInit[], body: object): Record<string, unknown> {
  const card = testCard()
  card.modes[0]?.fields.push(...fields.map(field => create(FieldSchema, field)))
  const checked = checkRequest(testCatalog(card), { prompt: 'a boat', ...body })
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  const order = orderOf(checked.model, checked.request, checked.model.price(checked.request))
  return toJson(OrderSchema, create(OrderSchema, order)) as Record<string, unknown>
}

test('a field that nothing here names is in the order, whatever its kind, and its default where it is left out', () => {
  const fields: FieldInit[] = [
    { name: 'negative_prompt', kind: FieldKind.TEXT, min: 1n, max: 20n },
    { name: 'guidance', kind: FieldKind.INTEGER, min: 0n, max: 9n },
    { name: 'loop', kind: FieldKind.BOOLEAN, default: { value: { case: 'boolean', value: false } } },
    { name: 'style', kind: FieldKind.CHOICE, choices: ['plain', 'rich'] },
  ]
  const body = { negative_prompt: ' rain ', guidance: 0, loop: true, style: 'rich', max_credits: 100 }
  const limit = { name: 'max_credits', kind: FieldKind.INTEGER, min: 1n, max: 1_000n }
  expect(orderWith([...fields, limit], body).values).toEqual({
    negative_prompt: { text: 'rain' },
    guidance: { integer: '0' },
    loop: { boolean: true },
    style: { text: 'rich' },
  })
  expect(orderWith(fields, {}).values).toEqual({ loop: { boolean: false } })
})

test('fields with a place of their own in an order are there and nowhere else', () => {
  const fields: FieldInit[] = [
    { name: 'aspect_ratio', kind: FieldKind.CHOICE, choices: ['16:9'] },
    { name: 'seed', kind: FieldKind.INTEGER, min: 0n, max: 9n },
    { name: 'watermark', kind: FieldKind.BOOLEAN },
  ]
  const order = orderWith(fields, { duration: 6, aspect_ratio: '16:9', seed: 7, watermark: true, generate_audio: true })
  expect(order).toMatchObject({ prompt: 'a boat', durationSeconds: 6, resolution: '480p', aspectRatio: '16:9', seed: '7' })
  expect(order).toMatchObject({ watermark: true, generateAudio: true })
  expect(order.values).toBeUndefined()
})
