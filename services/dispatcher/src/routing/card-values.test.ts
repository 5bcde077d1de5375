import { expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { FieldKind, type FieldSchema, ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { connectFal } from '../providers/fal/connect-fal'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { lackingAt, lackingEverywhere, mayLack } from './card-values'
import { createRouting, type Route } from './routing'

const bounds = { visibilityMs: 0, firstPollMs: 1_000, submitTimeoutMs: 1, readTimeoutMs: 1 }
const connectors = [
  connectFal({ url: 'http://127.0.0.1:1', key: 'unused', ...bounds }),
  connectSimulator({ provider: 'simulator', url: 'http://127.0.0.1:1', key: 'unused', ...bounds }),
]
const routesOf = (...routes: Route[]) => createRouting({ default: [], models: { m: routes } }, connectors).configuredRoutes('m')
/** A provider that knows our own words, beside what others have. */
const [ourWords] = routesOf({ provider: 'simulator' })

const card = create(ModelCardSchema, {
  model: 'm',
  modes: [
    {
      name: 'text-to-video',
      fields: [
        { name: 'prompt', kind: FieldKind.TEXT, max: 20n },
        { name: 'duration', kind: FieldKind.INTEGER, min: 4n, max: 6n },
        { name: 'resolution', kind: FieldKind.CHOICE, choices: ['720p', '4k'] },
        { name: 'aspect_ratio', kind: FieldKind.CHOICE, choices: ['16:9', '2:1'] },
        { name: 'seed', kind: FieldKind.INTEGER, min: -1n, max: 7n },
        { name: 'watermark', kind: FieldKind.BOOLEAN },
        { name: 'max_credits', kind: FieldKind.INTEGER },
      ],
    },
    {
      name: 'media-to-video',
      fields: [
        { name: 'reference_video_urls', kind: FieldKind.URL_LIST, itemsMax: 3 },
        { name: 'reference_video_durations', kind: FieldKind.SECONDS_LIST },
      ],
    },
  ],
} satisfies MessageInitShape<typeof ModelCardSchema>)

const text: Route = {
  provider: 'fal',
  mode: 'text-to-video',
  model: { '720p': 'a' },
  fields: {
    prompt: { field: 'prompt', characters_max: 10 },
    duration: { field: 'duration', min: 5, max: 9 },
    aspect_ratio: { field: 'ratio', values: ['16:9'] },
    seed: { field: 'seed', min: 0 },
    watermark: { values: { false: null } },
  },
}
const media: Route = {
  provider: 'fal',
  mode: 'media-to-video',
  model: 'b',
  fields: { reference_video_urls: { field: 'video_urls', items_max: 2 } },
}

test('each value that a route has no mapping for is named, a ratio that nobody names among them, and a mode that is not its own', () => {
  const [route] = routesOf(text)
  expect(route && lackingAt(route, card)).toEqual([
    'text-to-video prompt 20',
    'text-to-video duration 4',
    'text-to-video resolution 4k',
    'text-to-video aspect_ratio 2:1',
    'text-to-video aspect_ratio adaptive',
    'text-to-video seed -1',
    'text-to-video watermark true',
    'mode media-to-video',
  ])
})

test('what one route lacks another may have, at the same provider or at the next', () => {
  const longer: Route = { ...text, model: { '4k': 'c' }, fields: { ...text.fields, prompt: 'prompt', duration: 'duration' } }
  expect(lackingEverywhere(routesOf(text, longer, media), card)).toEqual([
    'text-to-video aspect_ratio 2:1',
    'text-to-video aspect_ratio adaptive',
    'text-to-video seed -1',
    'text-to-video watermark true',
    'media-to-video reference_video_urls 3',
  ])
  expect(lackingEverywhere([...routesOf(text), ...(ourWords ? [ourWords] : [])], card)).toEqual([])
  expect(lackingEverywhere(routesOf(text), card)).toContain('mode media-to-video')
})

test('what may be lacking is told by field, by value, by mode, or by all of these', () => {
  const name = 'text-to-video aspect_ratio 2:1'
  for (const lacks of ['aspect_ratio', 'aspect_ratio 2:1', 'text-to-video aspect_ratio', name]) expect(mayLack([lacks], name)).toBe(true)
  for (const lacks of ['aspect_ratio 2:10', 'image-to-video aspect_ratio', 'text-to-video', '2:1', ''])
    expect(mayLack([lacks], name)).toBe(false)
  expect(mayLack(['mode media-to-video'], 'mode media-to-video')).toBe(true)
  expect(mayLack(['mode'], 'mode media-to-video')).toBe(false)
})

test('a field’s kind says what its values are, never its name', () => {
  const fields: MessageInitShape<typeof FieldSchema>[] = [
    { name: 'negative_prompt', kind: FieldKind.TEXT, min: 1n, max: 500n },
    { name: 'steps', kind: FieldKind.INTEGER, min: 1n, max: 3n },
    { name: 'frames', kind: FieldKind.INTEGER, integers: [24n, 48n] },
    { name: 'guidance', kind: FieldKind.INTEGER, min: 0n, max: 1_000n },
    { name: 'loop', kind: FieldKind.BOOLEAN },
    { name: 'style', kind: FieldKind.CHOICE, choices: ['plain', 'rich'] },
    { name: 'mask', kind: FieldKind.URL },
    { name: 'masks', kind: FieldKind.URL_LIST, itemsMax: 4 },
    { name: 'lengths', kind: FieldKind.SECONDS_LIST },
    { name: 'later', kind: 99 as FieldKind },
  ]
  const [route] = routesOf({ ...text, model: 'a' })
  const lacking = route && lackingAt(route, create(ModelCardSchema, { model: 'm', modes: [{ name: 'text-to-video', fields }] }))
  expect(lacking?.map(name => name.replace('text-to-video ', ''))).toEqual([
    'negative_prompt 500',
    ...['steps 1', 'steps 2', 'steps 3', 'frames 24', 'frames 48', 'guidance 0', 'guidance 1000'],
    ...['loop true', 'loop false', 'style plain', 'style rich', 'mask 1', 'masks 4', 'later 99'],
  ])
})
