import { expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { scalarOf } from '@filmgate/proto/scalar'
import type { FieldMappings } from './field-mapping'
import { requestFields, unmappedFields } from './request-fields'

const order = (changes: MessageInitShape<typeof OrderSchema> = {}) =>
  create(OrderSchema, {
    prompt: 'a boat',
    durationSeconds: 5,
    resolution: '720p',
    aspectRatio: 'adaptive',
    watermark: false,
    ...changes,
  })
const fields: FieldMappings = {
  prompt: { field: 'prompt', characters_max: 10 },
  duration: { field: 'duration', min: 3, max: 15, quoted: true },
  resolution: { field: 'resolution', values: ['720p', '1080p'] },
  aspect_ratio: { field: 'aspect_ratio', values: { '16:9': 'wide', adaptive: null } },
  seed: 'seed',
  generate_audio: 'sound',
  watermark: { values: { false: null } },
  image_url: 'start_image_url',
  reference_image_urls: { field: 'image_urls', items_max: 2 },
}
const input = (field: string, index = 0) => ({ kind: MediaKind.IMAGE, field, index, url: 'https://theirs.example/a.png' })
const handed = (field: string, index: number, url: string) => ({ kind: MediaKind.IMAGE, field, index, url })

test('an order goes out in the provider’s fields, with what the route always sends', () => {
  expect(unmappedFields(fields, order())).toEqual([])
  expect(requestFields({ fields: fields, always: { mood: 'calm' } }, order(), [])).toEqual({
    mood: 'calm',
    prompt: 'a boat',
    duration: '5',
    resolution: '720p',
  })
  const more = order({ aspectRatio: '16:9', seed: 7n, generateAudio: false })
  expect(requestFields({ fields: fields, always: {} }, more, [])).toEqual({
    ...{ prompt: 'a boat', duration: '5', resolution: '720p', aspect_ratio: 'wide', seed: 7, sound: false },
  })
})

test('media are handed over under the provider’s names, lists in the order of the request', () => {
  const inputs = [input('image_url'), input('reference_image_urls', 0), input('reference_image_urls', 1)]
  expect(unmappedFields(fields, order({ inputs }))).toEqual([])
  const media = [
    handed('image_url', 0, 'https://ours.example/first'),
    handed('reference_image_urls', 1, 'https://ours.example/b'),
    handed('reference_image_urls', 0, 'https://ours.example/a'),
  ]
  expect(requestFields({ fields: fields, always: {} }, order({ inputs }), media)).toMatchObject({
    start_image_url: 'https://ours.example/first',
    image_urls: ['https://ours.example/a', 'https://ours.example/b'],
  })
})

test('what has no mapping is named, and never put as something near it', () => {
  const cases: [MessageInitShape<typeof OrderSchema>, string[]][] = [
    [{ prompt: 'eleven char' }, ['prompt']],
    [{ durationSeconds: 2 }, ['duration']],
    [{ durationSeconds: 16 }, ['duration']],
    [{ resolution: '4k' }, ['resolution']],
    [{ aspectRatio: '4:3', watermark: true }, ['aspect_ratio', 'watermark']],
    [{ inputs: [input('end_image_url')] }, ['end_image_url']],
    [{ inputs: [0, 1, 2].map(index => input('reference_image_urls', index)) }, ['reference_image_urls']],
  ]
  for (const [changes, unsaid] of cases) expect(unmappedFields(fields, order(changes))).toEqual(unsaid)
  expect(unmappedFields({ ...fields, seed: { values: [] } }, order({ seed: 7n }))).toEqual(['seed'])
  expect(unmappedFields(fields, order({ aspectRatio: 'constructor' }))).toEqual(['aspect_ratio'])
  expect(unmappedFields({}, order())).toContain('resolution')
})

test('a prompt is counted in code points', () => {
  expect(unmappedFields(fields, order({ prompt: '🎞'.repeat(10) }))).toEqual([])
})

test('a field of a later card needs a mapping like any other, and one whose kind is not known here has none', () => {
  const values = { negative_prompt: scalarOf('rain'), loop: scalarOf(true) }
  const more: FieldMappings = { ...fields, negative_prompt: { field: 'negative', characters_max: 4 }, loop: 'is_loop' }
  expect(unmappedFields(fields, order({ values }))).toEqual(['negative_prompt', 'loop'])
  expect(unmappedFields(more, order({ values }))).toEqual([])
  expect(requestFields({ fields: more, always: {} }, order({ values }), [])).toMatchObject({ negative: 'rain', is_loop: true })
  expect(unmappedFields(more, order({ values: { loop: {} } }))).toEqual(['loop'])
})
