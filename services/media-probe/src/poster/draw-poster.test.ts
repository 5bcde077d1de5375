import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRejection } from '../errors'
import { h264, type Movies, openMovies } from '../testing/movies'
import { drawPoster } from './draw-poster'

let movies: Movies
beforeAll(async () => {
  movies = await openMovies()
})
afterAll(() => movies.close())

const lavfi = (source: string) => ['-f', 'lavfi', '-i', source]

async function draw(made: string, tools = movies.tools): Promise<Buffer> {
  const folder = await mkdtemp(join(movies.folder, 'run-'))
  const path = join(folder, 'video')
  await copyFile(made, path)
  return drawPoster(tools, { path, folder, signal: new AbortController().signal })
}

/** Its size and average brightness (0 to 255), measured by ffmpeg. */
async function seen(jpeg: Buffer): Promise<{ width: number; height: number; brightness: number }> {
  const path = await writeFile(join(movies.folder, 'seen.jpg'), jpeg).then(() => join(movies.folder, 'seen.jpg'))
  const shown = ['-show_entries', 'frame=width,height:frame_tags=lavfi.signalstats.YAVG', '-of', 'json']
  const child = Bun.spawn(['ffprobe', '-v', 'error', '-f', 'lavfi', `movie=${path},signalstats`, ...shown], { stdout: 'pipe' })
  const { frames } = JSON.parse(await child.stdout.text())
  const [{ width, height, tags }] = frames
  return { width, height, brightness: Number(tags['lavfi.signalstats.YAVG']) }
}

test('a poster is a frame after one second, at most 640 pixels a side, without metadata', async () => {
  const titled = ['-metadata', 'title=secret', '-metadata', 'comment=secret']
  const path = await movies.make('wide.mp4', ...lavfi('testsrc2=size=1280x720:rate=24:duration=3'), ...h264, ...titled)
  const jpeg = await draw(path)
  expect(await seen(jpeg)).toMatchObject({ width: 640, height: 360 })
  expect([jpeg.readUInt16BE(0), jpeg.readUInt16BE(jpeg.length - 2)]).toEqual([0xffd8, 0xffd9])
  expect(jpeg.length).toBeWithin(4_000, 100_000)
  expect(jpeg.toString('latin1')).not.toMatch(/secret|Lavc/)
})

test('small videos are not enlarged, and portrait videos stay portrait', async () => {
  const path = await movies.make('upright.mp4', ...lavfi('testsrc2=size=180x320:rate=24:duration=2'), ...h264)
  expect(await seen(await draw(path))).toMatchObject({ width: 180, height: 320 })
  const large = await movies.make('large.mp4', ...lavfi('testsrc2=size=720x1280:rate=24:duration=2'), ...h264)
  expect(await seen(await draw(large))).toMatchObject({ width: 360, height: 640 })
})

test('a black start is skipped; an all-black video has a black poster', async () => {
  const opening = [
    ...lavfi('color=black:s=640x360:r=24:d=2.5'),
    ...lavfi('color=white:s=640x360:r=24:d=2'),
    '-filter_complex',
    'concat=n=2',
  ]
  expect((await seen(await draw(await movies.make('opening.mp4', ...opening, ...h264)))).brightness).toBeGreaterThan(200)
  const dark = await movies.make('dark.mp4', ...lavfi('color=black:s=640x360:r=24:d=2'), ...h264)
  expect((await seen(await draw(dark))).brightness).toBeLessThan(32)
})

test('a video shorter than a second has a poster', async () => {
  const path = await movies.make('short.mp4', ...lavfi('testsrc2=size=640x360:rate=24:duration=0.5'), ...h264)
  expect(await seen(await draw(path))).toMatchObject({ width: 640, height: 360 })
})

test('10-bit 4K fits into a poster’s CPU and memory limits', async () => {
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=none']
  const path = await movies.make('4k.mp4', ...lavfi('testsrc2=size=3840x2160:rate=8:duration=1.5'), ...hevc)
  expect(await seen(await draw(path))).toMatchObject({ width: 640, height: 360 })
}, 180_000)

test('a child that waits for a CPU is not killed by the measuring deadline', async () => {
  const path = await movies.make('waits.mp4', ...lavfi('testsrc2=size=640x360:rate=24:duration=2'), ...h264)
  expect(await seen(await draw(path, { ...movies.tools, childDeadlineMs: 1 }))).toMatchObject({ width: 640, height: 360 })
})

test('a video with sound of any codec has a poster', async () => {
  const sound = [...lavfi('sine=duration=2'), '-c:a', 'aac', '-shortest']
  const path = await movies.make('sound.mp4', ...lavfi('testsrc2=size=640x360:rate=24:duration=2'), ...sound, ...h264)
  expect(await seen(await draw(path))).toMatchObject({ width: 640, height: 360 })
})

test('a codec that no provider uses is not decoded', async () => {
  const path = await movies.make('odd.mp4', ...lavfi('testsrc2=size=640x360:rate=24:duration=1'), '-c:v', 'mjpeg')
  expect(await draw(path).catch(isRejection)).toBe(true)
})

const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1:1/secret.ts\n#EXT-X-ENDLIST\n'

test.each<[string, string | Buffer]>([
  ['a playlist that names an address', playlist],
  ['a list of files', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
  ['a picture of markup', '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'],
  ['zeros', Buffer.alloc(100_000)],
  ['nothing', Buffer.alloc(0)],
])('%s has no poster', async (_, content) => {
  const path = join(movies.folder, crypto.randomUUID())
  await writeFile(path, content)
  expect(await draw(path).catch(isRejection)).toBe(true)
})
