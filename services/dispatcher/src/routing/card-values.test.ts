import { expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { connectFal } from '../makers/fal/connect-fal'
import { connectSimulator } from '../makers/simulator/connect-simulator'
import { lackingAt, lackingEverywhere, mayLack } from './card-values'
import { createRouting, type Route } from './routing'

const bounds = { visibilityMs: 0, firstPollMs: 1_000, submitTimeoutMs: 1, readTimeoutMs: 1 }
const connectors = [
  connectFal({ url: 'http://127.0.0.1:1', key: 'unused', ...bounds }),
  connectSimulator({ maker: 'simulator', url: 'http://127.0.0.1:1', key: 'unused', ...bounds }),
]
const routesOf = (...routes: Route[]) => createRouting({ default: [], models: { m: routes } }, connectors).configuredRoutes('m')
/** A maker that knows our own words, beside what others have. */
const [ourWords] = routesOf({ maker: 'simulator' })

const card = create(ModelCardSchema, {
  model: 'm',
  modes: [
    {
      name: 'text-to-video',
      fields: [
        { name: 'prompt', max: 20n },
        { name: 'duration', min: 4n, max: 6n },
        { name: 'resolution', choices: ['720p', '4k'] },
        { name: 'aspect_ratio', choices: ['16:9', '2:1'] },
        { name: 'seed', min: -1n, max: 7n },
        { name: 'watermark' },
        { name: 'max_credits' },
      ],
    },
    {
      name: 'media-to-video',
      fields: [{ name: 'reference_video_urls', itemsMax: 3 }, { name: 'reference_video_durations' }],
    },
  ],
} satisfies MessageInitShape<typeof ModelCardSchema>)

const text: Route = {
  maker: 'fal',
  mode: 'text-to-video',
  model: { '720p': 'a' },
  words: {
    prompt: { field: 'prompt', characters_max: 10 },
    duration: { field: 'duration', min: 5, max: 9 },
    aspect_ratio: { field: 'ratio', values: ['16:9'] },
    seed: { field: 'seed', min: 0 },
    watermark: { values: { false: null } },
  },
}
const media: Route = {
  maker: 'fal',
  mode: 'media-to-video',
  model: 'b',
  words: { reference_video_urls: { field: 'video_urls', items_max: 2 } },
}

test('each value that a route has no word for is named, a ratio that nobody names among them, and a mode that is not its own', () => {
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

test('what one route lacks another may have, at the same maker or at the next', () => {
  const longer: Route = { ...text, model: { '4k': 'c' }, words: { ...text.words, prompt: 'prompt', duration: 'duration' } }
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
