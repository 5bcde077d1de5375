import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ffprobe } from '../child/ffprobe'
import { findTools } from '../child/find-tools'
import type { SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import type { Format } from '../limits/formats'
import { measure } from './measure'
import type { Measurement } from './measurement'

// A short form of tests/media: one file per format, and the faults and disguises that only a child detects.
let folder: string
let tools: Tools
const limits = create(KindLimitsSchema, {
  widthMin: 256,
  widthMax: 5760,
  heightMin: 256,
  heightMax: 5760,
  frameRateMin: 23.976,
  frameRateMax: 60,
  secondsMin: 2,
  secondsMax: 15,
})
const kinds: Record<Format, MediaKind> = {
  jpeg: MediaKind.IMAGE,
  png: MediaKind.IMAGE,
  webp: MediaKind.IMAGE,
  mp4: MediaKind.VIDEO,
  mov: MediaKind.VIDEO,
  mp3: MediaKind.AUDIO,
  wav: MediaKind.AUDIO,
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'measure-'))
  const found = await findTools({ ffprobe: 'ffprobe', ffmpeg: 'ffmpeg' }, folder, undefined)
  tools = { ...found, childLimits: { memoryBytesMax: 2 ** 30, cpuSecondsMax: 60 }, childDeadlineMs: 25_000, coresMax: 4 }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x256', '-frames:v', '1']
const clip = [
  '-f',
  'lavfi',
  '-t',
  '3',
  '-i',
  'testsrc2=size=320x256:rate=30',
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
]
const tone = ['-f', 'lavfi', '-t', '3', '-i', 'sine']

async function make(name: string, options: string[]): Promise<string> {
  const path = join(folder, name)
  const child = Bun.spawn(['ffmpeg', '-v', 'error', '-y', ...options, path], { stdin: 'ignore', stderr: 'inherit' })
  expect(await child.exited).toBe(0)
  return path
}

const sampleOf = (path: string, format: Format): SourceFile => ({
  path,
  copyPath: join(folder, crypto.randomUUID()),
  folder,
  format,
  kind: kinds[format],
  limits,
  declaredSeconds: 0,
  signal: new AbortController().signal,
})

async function outcome(path: string, format: Format, having: Tools = tools): Promise<Measurement | string> {
  try {
    return await measure(having, sampleOf(path, format))
  } catch (error) {
    return error instanceof Failure ? error.reason : String(error)
  }
}

test.each([
  ['jpeg', 'a.jpg', picture],
  ['png', 'a.png', picture],
  ['webp', 'a.webp', picture],
] as [Format, string, string[]][])('a %s is measured', async (format, name, options) => {
  expect(await outcome(await make(name, options), format)).toEqual({ format, width: 320, height: 256, frameRate: 0, seconds: 0 })
})

test.each([
  ['mp4', 'a.mp4', clip],
  ['mp4', 'fragmented.mp4', [...clip, '-movflags', 'frag_keyframe+empty_moov']],
  ['mov', 'a.mov', clip],
] as [Format, string, string[]][])('a %s is measured: %s', async (format, name, options) => {
  expect(await outcome(await make(name, options), format)).toEqual({ format, width: 320, height: 256, frameRate: 30, seconds: 3 })
})

test.each([
  ['mp3', 'a.mp3'],
  ['wav', 'a.wav'],
] as [Format, string][])('a %s is measured', async (format, name) => {
  expect(await outcome(await make(name, tone), format)).toEqual({ format, width: 0, height: 0, frameRate: 0, seconds: 3 })
})

test.each([
  [8_000, 3.04],
  [8_000, 3.1],
  [11_025, 3.033],
])('an MP3 of %i Hz and %f s is measured without its encoder padding', async (rate, seconds) => {
  const path = await make(`${rate}-${seconds}.mp3`, [...tone.with(3, String(seconds)), '-ar', String(rate)])
  expect(await outcome(path, 'mp3')).toMatchObject({ seconds: expect.closeTo(seconds, 2) })
})

test.each(['frag_keyframe', 'frag_keyframe+delay_moov', 'frag_keyframe+empty_moov+negative_cts_offsets', 'dash', 'cmaf'])(
  'a fragmented movie is measured: %s',
  async flags => {
    for (const keyFrames of ['15', '300']) {
      const path = await make(`${flags}-${keyFrames}.mp4`, [...clip, '-g', keyFrames, '-bf', '2', '-movflags', flags])
      expect(await outcome(path, 'mp4')).toMatchObject({ frameRate: 30, seconds: 3 })
    }
  },
)

test('damage that only decoding shows is detected', async () => {
  const path = await make('damaged.mp4', clip)
  const movie = await readFile(path)
  const data = movie.indexOf('mdat', 0, 'latin1')
  movie.fill(0x5a, data + 5_000, data + 9_000)
  await writeFile(path, movie)
  expect(await outcome(path, 'mp4')).toBe('media_corrupt')
})

test('a video that needs more than a child’s memory limit is too large, and is measured with a higher limit', async () => {
  const options = ['-f', 'lavfi', '-t', '2', '-i', 'testsrc2=size=2560x1440:rate=24', ...clip.slice(6), '-refs', '16']
  const path = await make('references.mp4', options)
  const within = (memoryBytesMax: number) => outcome(path, 'mp4', { ...tools, childLimits: { memoryBytesMax, cpuSecondsMax: 60 } })
  expect(await within(2 ** 27)).toBe('media_too_large')
  expect(await within(2 ** 29)).toMatchObject({ width: 2560, height: 1440, frameRate: 24 })
})

test('no forced demuxer reads a playlist or fetches anything, even without a namespace', async () => {
  let connections = 0
  const server = createServer(socket => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  const address = server.address()
  const origin = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`
  const disguises = [
    `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n${origin}/a.ts\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile ${origin}/a.mp4\n`,
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet><Representation><BaseURL>${origin}/a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 5004 RTP/AVP 96\r\n',
  ]
  for (const [index, words] of disguises.entries()) {
    const path = join(folder, `disguise-${index}`)
    await writeFile(path, words)
    for (const format of Object.keys(kinds) as Format[]) {
      const source = sampleOf(path, format)
      const probed = await ffprobe<{ streams?: { width?: number }[] }>({ ...tools, isolation: 'seccomp' }, source, ['-show_streams']).catch(
        () => ({ streams: [] }),
      )
      expect(probed.streams?.filter(stream => stream.width)).toEqual([])
    }
  }
  server.close()
  expect(connections).toBe(0)
})
