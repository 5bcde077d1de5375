import { expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { FieldKind, FieldSchema, type ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { ModelOfferSchema, type UnofferedValuesSchema } from '@filmgate/proto/gen/filmgate/v1/offers_pb'
import { checkRequest } from '../catalog/check-request'
import { compileCard } from '../catalog/compile-card'
import { testCard, testCatalog } from '../catalog/testing/cards'
import { exampleOf } from '../docs/open-api/example-of'
import { openApi } from '../docs/open-api/open-api'
import { modelView } from '../models/model-view'
import type { Schema } from '../rules/json-schema'
import { offeredCard } from './offered-card'

type Unoffered = MessageInitShape<typeof UnofferedValuesSchema>
const offer = (available: boolean, ...unoffered: Unoffered[]) => create(ModelOfferSchema, { model: 'test-1', available, unoffered })

/** The test card with a ratio and a seed in text-to-video. */
function wholeCard(): ModelCard {
  const card = testCard()
  const [text] = card.modes
  text?.fields.push(
    create(FieldSchema, { name: 'aspect_ratio', kind: FieldKind.CHOICE, choices: ['16:9', '2:1', 'adaptive'] }),
    create(FieldSchema, { name: 'seed', kind: FieldKind.INTEGER, min: -1n, max: 100n, capability: 'seed' }),
  )
  card.capabilities = ['seed', 'generated_audio', 'reference_videos', 'fast']
  return card
}

const text = (field: string, rest: Partial<Unoffered> = {}): Unoffered => ({ mode: 'text-to-video', field, ...rest }) as Unoffered
const narrowed = (...unoffered: Unoffered[]) => offeredCard(wholeCard(), offer(true, ...unoffered)).card

/** What is wrong with a body, by path and words. */
function faults(card: ModelCard, body: object): string[] {
  const checked = checkRequest(testCatalog(card), { model: 'test-1', prompt: 'a boat', ...body })
  return checked.ok ? [] : checked.issues.map(({ rule, message }) => `${rule}: ${message}`)
}

test('nothing heard, or nothing left out: the card as it is', () => {
  const card = wholeCard()
  expect(offeredCard(card, undefined)).toEqual({ card, available: true })
  expect(offeredCard(card, offer(true))).toEqual({ card, available: true })
})

test('a card that no provider has is shown whole and isn’t available', () => {
  const card = wholeCard()
  expect(offeredCard(card, offer(false))).toEqual({ card, available: false })
  const every = card.modes.map(({ name }) => ({ mode: name }))
  expect(offeredCard(card, offer(true, ...every))).toEqual({ card, available: false })
})

test('a value without a mapping is refused with its field and what is legal, the others are taken', () => {
  const card = narrowed(
    text('duration', { integers: [4n, 5n, 8n] }),
    text('resolution', { choices: ['1080p'] }),
    text('aspect_ratio', { choices: ['2:1'] }),
    text('seed', { below: 0n, above: 9n }),
    text('prompt', { above: 7n }),
    text('generate_audio', { booleans: [true] }),
  )
  const whole = { duration: 6, resolution: '480p', aspect_ratio: '16:9', seed: 9, generate_audio: false }
  expect(faults(card, whole)).toEqual([])
  expect(faults(wholeCard(), { ...whole, duration: 4, aspect_ratio: '2:1', seed: -1, generate_audio: true })).toEqual([])
  for (const [change, fault] of [
    [{ duration: 8 }, 'enum: duration must be 6, 7, 9 or 10, and is 8'],
    [{ resolution: '1080p' }, 'enum: resolution must be 480p, and is "1080p"'],
    [{ aspect_ratio: '2:1' }, 'enum: aspect_ratio must be 16:9 or adaptive, and is "2:1"'],
    [{ seed: -1 }, 'minimum: seed must be from 0 to 9, and is -1'],
    [{ seed: 10 }, 'maximum: seed must be from 0 to 9, and is 10'],
    [{ prompt: 'a boat on a lake' }, 'max_length: prompt must have at most 7 characters, and has 16'],
    [{ generate_audio: true }, 'not_offered: generate_audio must be false'],
  ] as const)
    expect(faults(card, { ...whole, ...change })).toEqual([fault])
})

test('what stands for a field left out may be gone: then a request must name a value, and none is chosen for it', () => {
  const card = narrowed(
    text('duration', { integers: [4n, 5n] }),
    text('aspect_ratio', { choices: ['adaptive'] }),
    text('generate_audio', { booleans: [false] }),
  )
  expect(faults(card, { duration: 6, aspect_ratio: '16:9', generate_audio: true })).toEqual([])
  expect(faults(card, {})).toEqual([
    'required: duration is required in text-to-video',
    'required: generate_audio is required in text-to-video',
    'required: aspect_ratio is required in text-to-video',
  ])
  expect(faults(card, { duration: 5, aspect_ratio: '16:9', generate_audio: true })).toEqual([
    'minimum: duration must be from 6 to 10, and is 5',
  ])
})

test('a field, a list with its seconds and a mode go as a whole, and their capabilities with them', () => {
  const card = narrowed(text('seed'), { mode: 'media-to-video', field: 'reference_video_urls' }, { mode: 'image-to-video' })
  expect(faults(card, { seed: 1 })).toEqual(['unsupported_field: test-1 does not take "seed"'])
  const media = { mode: 'media-to-video', reference_image_urls: ['https://a.example/1.png'] }
  expect(faults(card, media)).toEqual([])
  expect(
    faults(card, { ...media, reference_video_urls: ['https://a.example/1.mp4'], reference_video_durations: [3] }).map(
      fault => fault.split(':')[0],
    ),
  ).toEqual(['unsupported_field', 'unsupported_field'])
  expect(faults(card, { mode: 'image-to-video' })[0]).toContain('mode must be text-to-video or media-to-video')
  expect(card.capabilities).toEqual(['generated_audio', 'fast'])
  expect(narrowed(text('generate_audio', { booleans: [true] })).capabilities).toEqual(['seed', 'reference_videos', 'fast'])
  expect(narrowed({ mode: 'media-to-video', field: 'reference_video_urls', above: 1n }).modes[2]?.fields[4]?.itemsMax).toBe(1)
})

test('a capability that no field of the card says it stands for stays', () => {
  const card = wholeCard()
  for (const field of card.modes.flatMap(({ fields }) => fields)) field.capability = ''
  expect(offeredCard(card, offer(true, text('seed'))).card.capabilities).toEqual(card.capabilities)
})

test('a model without its default mode needs one named, and a mode of which a needed field is gone goes too', () => {
  const card = narrowed({ mode: 'text-to-video' }, { mode: 'image-to-video', field: 'image_url' })
  expect(card.modes.map(({ name }) => name)).toEqual(['media-to-video'])
  expect(faults(card, {})[0]).toBe('required: mode must be media-to-video for test-1')
  expect([modelView(card, false).default_mode, modelView(wholeCard(), false).default_mode]).toEqual([null, 'text-to-video'])
})

test('values that a newer card no longer has change nothing, and a field that they leave empty is gone', () => {
  const card = narrowed(text('resolution', { choices: ['8k'] }), text('unheard', { above: 1n }))
  expect(faults(card, { resolution: '1080p', duration: 6 })).toEqual([])
  const empty = narrowed(text('resolution', { choices: ['480p', '1080p'] }))
  expect(empty.modes.map(({ name }) => name)).toEqual(['image-to-video', 'media-to-video'])
})

test('the list of models and the reference say it alike, and their examples are requests that are taken', () => {
  const unoffered = [
    text('duration', { integers: [4n, 5n] }),
    text('generate_audio', { booleans: [false] }),
    text('aspect_ratio', { choices: ['2:1'] }),
  ]
  const card = narrowed(...unoffered, { mode: 'media-to-video', field: 'reference_image_urls' })
  const schema: Schema | undefined = modelView(card, true).modes['text-to-video']?.schema
  expect(schema?.required).toEqual(['prompt', 'duration', 'generate_audio'])
  expect(JSON.stringify(schema)).toContain('"enum":["16:9","adaptive"]')
  expect(JSON.stringify(schema?.allOf)).toContain('{"properties":{"generate_audio":{"const":true}},"required":["generate_audio"]}')
  const catalog = testCatalog(card)
  expect(JSON.stringify(openApi(catalog).components.schemas)).not.toContain('2:1')
  const [first, second] = [card.modes[0], card.modes[1]]
  for (const mode of [first, second]) expect(mode && checkRequest(catalog, exampleOf(card, mode))).toMatchObject({ ok: true })
  const media = card.modes[2]
  expect(media && exampleOf(card, media)).toMatchObject({ reference_video_urls: ['https://example.com/clip.mp4'] })
  expect(compileCard(card).card.cardVersion).toMatch(/^c1-[0-9a-f]{8}$/)
  expect(narrowed(...unoffered.slice(1)).cardVersion).not.toBe(narrowed(...unoffered).cardVersion)
})
