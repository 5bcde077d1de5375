import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GenerationRequest } from '../generation/generation'
import { colourAt, makeMedia, probe } from '../testing/media'
import { startTestSimulator, testRequest } from '../testing/simulator'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-media-'))
let simulator: Awaited<ReturnType<typeof startTestSimulator>>
let media: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  simulator = await startTestSimulator()
  media = Bun.serve({ port: 0, fetch: request => new Response(Bun.file(join(folder, new URL(request.url).pathname))) })
  await Promise.all([
    makeMedia(join(folder, 'red.jpg'), 'color=0xff0000:size=640x480', '-frames:v', '1', '-pix_fmt', 'yuvj444p', '-q:v', '1'),
    makeMedia(join(folder, 'blue.png'), 'color=0x0000ff:size=640x480', '-frames:v', '1'),
    makeMedia(join(folder, 'green.mp4'), 'color=0x00ff00:size=320x240:rate=30:duration=0.5', '-pix_fmt', 'yuv420p'),
    makeMedia(join(folder, 'beep.wav'), 'sine=frequency=440:duration=0.5'),
  ])
})
afterAll(async () => {
  await media.stop()
  await simulator.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function rendered(changes: Partial<GenerationRequest>): Promise<string> {
  const { body } = await simulator.submit(testRequest(changes))
  return (await simulator.until(body.id, 'succeeded')).output_url ?? ''
}
const at = (file: string) => `http://127.0.0.1:${media.port}/${file}`

/** Red, green or blue, whichever is clearly the strongest. */
async function colour(path: string, seconds: number, area: string): Promise<string> {
  const parts = await colourAt(path, seconds, area)
  const strongest = parts.indexOf(Math.max(...parts))
  return parts.every((part, index) => index === strongest || part < 90) ? (['red', 'green', 'blue'][strongest] ?? '') : parts.join()
}

test('length, size and kind are what was asked, silent unless sound was asked for', async () => {
  expect(await probe(await rendered({ duration_seconds: 5, resolution: '768p', aspect_ratio: '16:9' }))).toEqual({
    seconds: 5,
    frames: 120,
    width: 1366,
    height: 768,
    video: 'h264',
    audio: null,
  })
  expect(await probe(await rendered({ duration_seconds: 2, resolution: '480p', aspect_ratio: '9:16', generate_audio: true }))).toEqual({
    seconds: 2,
    frames: 48,
    width: 480,
    height: 854,
    video: 'h264',
    audio: 'aac',
  })
})

test('two prompts make two videos; quotes, percent signs and other scripts do no harm', async () => {
  const [first, second] = await Promise.all([
    rendered({ prompt: `it's 50% "off": [a];b,c\\n %{pts} {x}` }),
    rendered({ prompt: 'ночь 夜 🌙 '.repeat(500) }),
  ])
  expect(Bun.hash(await (await fetch(first)).bytes())).not.toBe(Bun.hash(await (await fetch(second)).bytes()))
})

test('the first frame opens, the last frame ends, and their ratio is kept where adaptive was asked', async () => {
  const request = {
    mode: 'image-to-video',
    first_frame_url: at('red.jpg'),
    last_frame_url: at('blue.png'),
    aspect_ratio: 'adaptive',
    duration_seconds: 2,
  } as const
  const path = await rendered(request)
  expect(await probe(path)).toMatchObject({ width: 480, height: 360, seconds: 2 })
  expect([await colour(path, 0, '100:100:20:20'), await colour(path, 1.9, '100:100:20:20')]).toEqual(['red', 'blue'])
})

test('reference pictures and clips are seen as tiles, however short a clip is; reference audio is heard', async () => {
  const path = await rendered({
    mode: 'media-to-video',
    reference_images: [at('red.jpg'), at('blue.png')],
    reference_videos: [at('green.mp4')],
    reference_audios: [at('beep.wav')],
    duration_seconds: 2,
  })
  expect(await probe(path)).toMatchObject({ width: 640, height: 360, seconds: 2, audio: 'aac' })
  const tiles = ['60:40:40:20', '60:40:200:20', '60:40:360:20']
  expect(await Promise.all(tiles.map(area => colour(path, 1.8, area)))).toEqual(['red', 'blue', 'green'])
})
