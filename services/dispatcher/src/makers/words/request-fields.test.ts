import { expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { requestFields, valuesWithoutWord } from './request-fields'
import type { Words } from './words'

const order = (changes: MessageInitShape<typeof OrderSchema> = {}) =>
  create(OrderSchema, {
    prompt: 'a boat',
    durationSeconds: 5,
    resolution: '720p',
    aspectRatio: 'adaptive',
    watermark: false,
    ...changes,
  })
const words: Words = {
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

test('an order goes out in the maker’s words, with what the route always sends', () => {
  expect(valuesWithoutWord(words, order())).toEqual([])
  expect(requestFields({ words, always: { mood: 'calm' } }, order(), [])).toEqual({
    mood: 'calm',
    prompt: 'a boat',
    duration: '5',
    resolution: '720p',
  })
  const more = order({ aspectRatio: '16:9', seed: 7n, generateAudio: false })
  expect(requestFields({ words, always: {} }, more, [])).toEqual({
    ...{ prompt: 'a boat', duration: '5', resolution: '720p', aspect_ratio: 'wide', seed: 7, sound: false },
  })
})

test('media are handed over under the maker’s names, lists in the order of the request', () => {
  const inputs = [input('image_url'), input('reference_image_urls', 0), input('reference_image_urls', 1)]
  expect(valuesWithoutWord(words, order({ inputs }))).toEqual([])
  const media = [
    handed('image_url', 0, 'https://ours.example/first'),
    handed('reference_image_urls', 1, 'https://ours.example/b'),
    handed('reference_image_urls', 0, 'https://ours.example/a'),
  ]
  expect(requestFields({ words, always: {} }, order({ inputs }), media)).toMatchObject({
    start_image_url: 'https://ours.example/first',
    image_urls: ['https://ours.example/a', 'https://ours.example/b'],
  })
})

test('what has no word is named, and never put as something near it', () => {
  const cases: [MessageInitShape<typeof OrderSchema>, string[]][] = [
    [{ prompt: 'eleven char' }, ['prompt']],
    [{ durationSeconds: 2 }, ['duration 2']],
    [{ durationSeconds: 16 }, ['duration 16']],
    [{ resolution: '4k' }, ['resolution 4k']],
    [{ aspectRatio: '4:3', watermark: true }, ['aspect_ratio 4:3', 'watermark true']],
    [{ inputs: [input('end_image_url')] }, ['end_image_url (1)']],
    [{ inputs: [0, 1, 2].map(index => input('reference_image_urls', index)) }, ['reference_image_urls (3)']],
  ]
  for (const [changes, unsaid] of cases) expect(valuesWithoutWord(words, order(changes))).toEqual(unsaid)
  expect(valuesWithoutWord({ ...words, seed: { values: [] } }, order({ seed: 7n }))).toEqual(['seed'])
  expect(valuesWithoutWord(words, order({ aspectRatio: 'constructor' }))).toEqual(['aspect_ratio constructor'])
  expect(valuesWithoutWord({}, order())).toContain('resolution 720p')
})

test('a prompt is counted in code points', () => {
  expect(valuesWithoutWord(words, order({ prompt: '🎞'.repeat(10) }))).toEqual([])
})
