import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { withMoreTracks } from '../testing/movie-boxes'
import { h264, type Movies, openMovies, picture, tone } from '../testing/movies'

let movies: Movies
let plain: string
beforeAll(async () => {
  movies = await openMovies()
  plain = await movies.make('plain.mp4', ...picture(), ...tone(), ...h264, '-c:a', 'aac')
})
afterAll(() => movies.close())

async function outcomeOf(name: string, bytes: Buffer) {
  await writeFile(movies.pathOf(name), bytes)
  return (await movies.outcome(movies.pathOf(name))).outcome
}
const cutShort = { refused: 'media_corrupt', found: 'a file that is cut short' }

const encoders: [string, string[]][] = [
  ['first.mp4', h264],
  ['first-hevc.mp4', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1']],
  ['first-mpeg4.mp4', ['-c:v', 'mpeg4']],
  ['first-vp9.mp4', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']],
  ['first-prores.mov', ['-c:v', 'prores_ks', '-profile:v', '0']],
]
test.each(encoders)('%s that ends behind its header, or inside its first frame, is cut short', async (name, encoder) => {
  const first = await readFile(await movies.make(name, ...picture(), ...encoder, '-movflags', '+faststart'))
  const data = first.indexOf('mdat', 0, 'latin1') - 4
  for (const bytes of [0, 8, 200]) expect(await outcomeOf(`cut-${name}`, first.subarray(0, data + bytes))).toEqual(cutShort)
})

test.each(['libx264', 'libx265'])(
  'an initialisation segment alone, and with a fragment that has lost its data, is cut short: %s',
  async codec => {
    const flags = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof']
    const fragments = await readFile(await movies.make(`${codec}.mp4`, ...picture(), '-c:v', codec, '-preset', 'ultrafast', ...flags))
    const [fragment, data] = ['moof', 'mdat'].map(type => fragments.indexOf(type, 0, 'latin1') - 4)
    for (const end of [fragment, data, (data ?? 0) + 100])
      expect(await outcomeOf('segment.mp4', fragments.subarray(0, end))).toEqual(cutShort)
  },
)

test.each([10_000_000, -5_000, 8])('fragments whose data are said to be %i bytes from where they are have no frames', async bytes => {
  const flags = ['-c', 'copy', '-movflags', 'frag_keyframe+empty_moov+default_base_moof']
  const moved = await readFile(await movies.make(`moved${bytes}.mp4`, '-i', plain, ...flags))
  for (let at = moved.indexOf('trun'); at !== -1; at = moved.indexOf('trun', at + 4))
    moved.writeInt32BE(moved.readInt32BE(at + 12) + bytes, at + 12)
  expect(await outcomeOf('moved.mp4', moved)).toEqual(cutShort)
})

test('64 tracks are taken, and one more is refused before any is read', async () => {
  const movie = await readFile(plain)
  expect(await outcomeOf('64.mp4', withMoreTracks(movie, 62))).toMatchObject({ seconds: 3 })
  for (const more of [63, 900])
    expect(await outcomeOf(`${more}.mp4`, withMoreTracks(movie, more))).toEqual({
      refused: 'media_too_large',
      found: 'more than 64 tracks',
    })
})

test.each([
  ['libx264', 'gray'],
  ['libx265', 'gray'],
  ['libx265', 'gray10le'],
  ['libx265', 'gray12le'],
  ['libaom-av1', 'gray'],
])('a movie without colours is taken: %s, %s', async (codec, pixels) => {
  const speed = codec === 'libaom-av1' ? ['-cpu-used', '8', '-usage', 'realtime'] : ['-preset', 'ultrafast']
  const path = await movies.make(`${codec}-${pixels}.mp4`, ...picture(2), '-c:v', codec, ...speed, '-pix_fmt', pixels)
  expect((await movies.outcome(path)).outcome).toMatchObject({ width: 320, height: 256, frameRate: 30, seconds: 2 })
})

test('the rate of a recording that varies is told as an average', async () => {
  const varying = ['-vf', "select='if(lt(t,1),1,not(mod(n,2)))'", '-fps_mode', 'vfr']
  const path = await movies.make('varying.mp4', ...picture(), ...varying, ...h264)
  expect((await movies.outcome(path)).outcome).toEqual({ refused: 'media_frame_rate', found: '20.225 on average' })
})
