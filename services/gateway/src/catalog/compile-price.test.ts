import { expect, test } from 'bun:test'
import { create, toJson } from '@bufbuild/protobuf'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { compileCard } from './compile-card'
import { orderOf } from './order-of'
import type { GenerationRequest } from './request'
import { testCard } from './testing/cards'

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
