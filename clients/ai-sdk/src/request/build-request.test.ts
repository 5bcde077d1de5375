import { expect, test } from 'bun:test'
import type { Experimental_VideoModelV4CallOptions } from '@ai-sdk/provider'
import { buildRequest } from './build-request.ts'
import { readCard } from './model-card.ts'

const mode = (fields: string[], choices: Record<string, string[]>) => ({
  fields,
  schema: { properties: Object.fromEntries(Object.entries(choices).map(([name, values]) => [name, { enum: values }])) },
})
const resolution = ['768p', '2k']
const card = readCard({
  'text-to-video': mode(['prompt', 'duration', 'resolution', 'aspect_ratio'], { resolution, aspect_ratio: ['21:9', '16:9', '1:1'] }),
  'image-to-video': mode(['prompt', 'duration', 'resolution', 'aspect_ratio', 'image_url'], { resolution, aspect_ratio: ['adaptive'] }),
  'media-to-video': mode(['prompt', 'reference_image_urls', 'reference_video_urls'], {}),
})
const nothing: Experimental_VideoModelV4CallOptions = {
  prompt: 'A paper boat',
  n: 1,
  aspectRatio: undefined,
  resolution: undefined,
  duration: undefined,
  fps: undefined,
  seed: undefined,
  image: undefined,
  frameImages: undefined,
  inputReferences: undefined,
  generateAudio: undefined,
  providerOptions: {},
}
const url = (name: string) => ({ type: 'url' as const, url: `https://media.example.com/${name}` })

async function build(options: Partial<Experimental_VideoModelV4CallOptions>, native = {}) {
  const read: unknown[] = []
  const urlOf = async (file: { type: string; url?: string }) => {
    read.push(file)
    return file.url ?? 'https://uploads.example.com/1'
  }
  const built = await buildRequest({ modelId: 'alpha-h3', card, options: { ...nothing, ...options }, native, urlOf })
  const warned = built.warnings.map(warning => ('feature' in warning ? `${warning.type} ${warning.feature}` : warning.type))
  return { request: built.request, warned, read }
}

const text = { model: 'alpha-h3', prompt: 'A paper boat', mode: 'text-to-video' }

test('a size becomes the resolution of its shorter side and its ratio; another one the nearest resolution, with a warning', async () => {
  expect(await build({ resolution: '1365x768' })).toEqual({
    request: { ...text, resolution: '768p', aspect_ratio: '16:9' },
    warned: [],
    read: [],
  })
  const small = await build({ resolution: '1280x720' })
  expect([small.request, small.warned]).toEqual([{ ...text, resolution: '768p', aspect_ratio: '16:9' }, ['compatibility resolution']])
  const large = await build({ resolution: '2160x3840', aspectRatio: '1:1' })
  expect([large.request, large.warned]).toEqual([{ ...text, resolution: '2k', aspect_ratio: '1:1' }, ['compatibility resolution']])
  expect((await build({ resolution: '768x2000' })).warned).toEqual(['unsupported resolution'])
})

test('what the mode lacks is left out with a warning, wrong values are left to the API, and native fields win', async () => {
  const lacking = await build({ seed: 7, generateAudio: true, fps: 24, n: 2, duration: 99 })
  expect([lacking.request, lacking.warned]).toEqual([
    { ...text, duration: 99 },
    ['unsupported fps', 'unsupported n', 'unsupported seed', 'unsupported generateAudio'],
  ])
  const native = { resolution: '2k', duration: 6, max_credits: 100 }
  expect((await build({ resolution: '1280x720', duration: 5 }, native)).request).toEqual({ ...text, ...native, aspect_ratio: '16:9' })
})

test('a first frame makes image-to-video, where the ratio follows the picture; a last one is left out unread by a model without it', async () => {
  const frames = [
    { frameType: 'first_frame' as const, image: url('a.png') },
    { frameType: 'last_frame' as const, image: url('b.png') },
  ]
  expect(await build({ image: url('a.png'), frameImages: frames, aspectRatio: '16:9' })).toEqual({
    request: { model: 'alpha-h3', prompt: 'A paper boat', mode: 'image-to-video', image_url: 'https://media.example.com/a.png' },
    warned: ['unsupported aspectRatio', 'unsupported frameImages'],
    read: [url('a.png')],
  })
})

test('references are sorted by their media types', async () => {
  const inputReferences = [url('a.png'), { ...url('b.mp4'), mediaType: 'video/mp4' }]
  expect((await build({ inputReferences })).request).toEqual({
    model: 'alpha-h3',
    prompt: 'A paper boat',
    mode: 'media-to-video',
    reference_image_urls: ['https://media.example.com/a.png'],
    reference_video_urls: ['https://media.example.com/b.mp4'],
  })
})
