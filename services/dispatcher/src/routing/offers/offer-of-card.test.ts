import { expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { FieldKind, type FieldSchema, ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { connectFal } from '../../providers/fal/connect-fal'
import type { FieldMappings } from '../../providers/mapping/field-mapping'
import { connectSimulator } from '../../providers/simulator/connect-simulator'
import { createRouting, type Route } from '../routing'
import { offerOfCard } from './offer-of-card'

const bounds = { visibilityMs: 0, firstPollMs: 1_000, submitTimeoutMs: 1, readTimeoutMs: 1 }
const fal = connectFal({ url: 'http://127.0.0.1:1', key: 'unused', ...bounds })
const simulator = connectSimulator({ provider: 'simulator', url: 'http://127.0.0.1:1', key: 'unused', ...bounds })

const common = [
  { name: 'prompt', kind: FieldKind.TEXT, required: true, max: 20n },
  { name: 'duration', kind: FieldKind.INTEGER, min: 4n, max: 6n },
  { name: 'resolution', kind: FieldKind.CHOICE, choices: ['720p', '4k'] },
  { name: 'aspect_ratio', kind: FieldKind.CHOICE, choices: ['16:9', '2:1'] },
  { name: 'seed', kind: FieldKind.INTEGER, min: -1n, max: 700n },
  { name: 'watermark', kind: FieldKind.BOOLEAN, default: { value: { case: 'boolean' as const, value: false } } },
  { name: 'max_credits', kind: FieldKind.INTEGER },
]
const card = create(ModelCardSchema, {
  model: 'm',
  modes: [
    { name: 'text-to-video', fields: common },
    {
      name: 'image-to-video',
      fields: [...common, { name: 'image_url', kind: FieldKind.URL, required: true }, { name: 'end_image_url', kind: FieldKind.URL }],
    },
    {
      name: 'media-to-video',
      fields: [
        ...common,
        { name: 'reference_video_urls', kind: FieldKind.URL_LIST, itemsMax: 3 },
        { name: 'reference_video_durations', kind: FieldKind.SECONDS_LIST },
      ],
    },
  ],
} satisfies MessageInitShape<typeof ModelCardSchema>)

const mappings: FieldMappings = {
  prompt: 'prompt',
  duration: { field: 'duration', min: 4, max: 6 },
  resolution: { field: 'size', values: ['720p', '4k'] },
  aspect_ratio: { field: 'ratio', values: { '16:9': '16:9', '2:1': '2:1', adaptive: null } },
  seed: 'seed',
  watermark: 'watermark',
}
const route = (mode: string, own: FieldMappings, model: Route['model'] = 'theirs'): Route => ({
  provider: 'fal',
  mode,
  model,
  fields: { ...mappings, ...own },
})
const offer = (...models: Route[]) =>
  offerOfCard(createRouting({ default: [], models: { m: models } }, [fal, simulator]).configuredRoutes('m'), card)
const whole = [
  route('text-to-video', {}),
  route('image-to-video', { image_url: 'first', end_image_url: 'last' }),
  route('media-to-video', { reference_video_urls: { field: 'videos', items_max: 3 } }),
]

test('a card that is said whole is offered whole; one without a configured provider isn’t offered', () => {
  expect(offer(...whole)).toEqual({ model: 'm', available: true, unoffered: [] })
  expect(offer({ provider: 'simulator' })).toEqual({ model: 'm', available: true, unoffered: [] })
  expect(offer({ provider: 'absent' })).toEqual({ model: 'm', available: false })
})

test('each value that no route of its mode has a mapping for is named, with the bounds of texts, seeds and lists', () => {
  const short: FieldMappings = { prompt: { field: 'prompt', characters_max: 10 }, seed: { field: 'seed', min: 0, max: 3 } }
  const shorter: FieldMappings = { prompt: { field: 'prompt', characters_max: 5 }, seed: { field: 'seed', min: 2, max: 5 } }
  const [, frames, media] = whole
  const text = {
    watermark: { values: { false: null } },
    duration: { field: 'd', values: { '5': '5' } },
    aspect_ratio: { values: ['16:9'] },
  }
  expect(
    offer(
      route('text-to-video', { ...short, ...text }, { '720p': 'a' }),
      route('text-to-video', { ...shorter, ...text }, { '720p': 'b' }),
      { ...frames, fields: { ...mappings, image_url: 'first' } } as Route,
      { ...media, fields: { ...mappings, reference_video_urls: { field: 'videos', items_max: 2 } } } as Route,
    ).unoffered,
  ).toEqual([
    { mode: 'text-to-video', field: 'prompt', above: 10n },
    { mode: 'text-to-video', field: 'duration', choices: [], integers: [4n, 6n], booleans: [] },
    { mode: 'text-to-video', field: 'resolution', choices: ['4k'], integers: [], booleans: [] },
    { mode: 'text-to-video', field: 'aspect_ratio', choices: ['2:1', 'adaptive'], integers: [], booleans: [] },
    { mode: 'text-to-video', field: 'seed', above: 5n, below: 0n },
    { mode: 'text-to-video', field: 'watermark', choices: [], integers: [], booleans: [true] },
    { mode: 'image-to-video', field: 'end_image_url' },
    { mode: 'media-to-video', field: 'reference_video_urls', above: 2n },
  ])
})

test('a field without any mapping goes as a whole, and with it a mode whose every order says it', () => {
  const { seed, aspect_ratio: ratio, ...rest } = mappings
  const lists = { reference_video_urls: { field: 'videos', items_max: 3 } }
  const without = (own: FieldMappings, mode: string): Route => ({ provider: 'fal', mode, model: 'theirs', fields: own })
  expect(
    offer(without({ ...rest, ...(ratio && { aspect_ratio: ratio }), ...lists }, 'media-to-video'), without(mappings, 'image-to-video')),
  ).toEqual({
    model: 'm',
    available: true,
    unoffered: [{ mode: 'text-to-video' }, { mode: 'image-to-video' }, { mode: 'media-to-video', field: 'seed' }],
  })
  expect(offer(without({ ...rest, ...(seed && { seed }) }, 'text-to-video'))).toEqual({ model: 'm', available: false })
})

test('a text and a long range of any name are bounded, and a value with a default that no route says takes its mode along', () => {
  const fields: MessageInitShape<typeof FieldSchema>[] = [
    ...common,
    { name: 'negative_prompt', kind: FieldKind.TEXT, min: 1n, max: 500n },
    { name: 'guidance', kind: FieldKind.INTEGER, min: 0n, max: 1_000n },
    { name: 'steps', kind: FieldKind.INTEGER, min: 1n, max: 4n },
  ]
  const loop = { name: 'loop', kind: FieldKind.BOOLEAN, default: { value: { case: 'boolean' as const, value: false } } }
  const of = (own: FieldMappings, more: typeof fields = []) => {
    const routing = createRouting({ default: [], models: { m: [route('text-to-video', own)] } }, [fal])
    const modes = [{ name: 'text-to-video', fields: [...fields, ...more] }]
    return offerOfCard(routing.configuredRoutes('m'), create(ModelCardSchema, { model: 'm', modes }))
  }
  const own: FieldMappings = {
    negative_prompt: { field: 'negative', characters_max: 100 },
    guidance: { field: 'cfg', max: 20 },
    steps: { field: 'steps', min: 2 },
  }
  const bounded = [
    { mode: 'text-to-video', field: 'negative_prompt', above: 100n },
    { mode: 'text-to-video', field: 'guidance', above: 20n },
    { mode: 'text-to-video', field: 'steps', choices: [], integers: [1n], booleans: [] },
  ]
  expect(of(own)).toEqual({ model: 'm', available: true, unoffered: bounded })
  expect(of({}).unoffered).toEqual(['negative_prompt', 'guidance', 'steps'].map(field => ({ mode: 'text-to-video', field })))
  expect(of(own, [loop])).toEqual({ model: 'm', available: false })
})

test('a resolution that is not sold is not offered, and a mode goes with the last of them', () => {
  const routing = createRouting({ default: [], models: { m: whole } }, [fal, simulator])
  expect(
    offerOfCard(routing.configuredRoutes('m'), card, [
      'image-to-video resolution 4k',
      'text-to-video resolution 720p',
      'text-to-video resolution 4k',
    ]),
  ).toEqual({
    model: 'm',
    available: true,
    unoffered: [{ mode: 'text-to-video' }, { mode: 'image-to-video', field: 'resolution', choices: ['4k'], integers: [], booleans: [] }],
  })
})
