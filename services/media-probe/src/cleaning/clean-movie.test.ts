import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { box } from '../testing/movie-boxes'
import { decoded, h264, type Movies, openMovies, picture, probed, tone } from '../testing/movies'

let movies: Movies
let plain: string
beforeAll(async () => {
  movies = await openMovies()
  plain = await movies.make('plain.mp4', ...picture(), ...tone(), ...h264, '-c:a', 'aac')
})
afterAll(() => movies.close())

const remux = (name: string, ...options: string[]) => movies.make(name, '-i', plain, ...options)
const shifted = (seconds: number, map: string[]) => ['-itsoffset', String(seconds), '-i', plain, ...map, '-c', 'copy']
const chapters = `;FFMETADATA1
title=secret
location=+52.5secret+13.4/
[CHAPTER]
TIMEBASE=1/1000
START=0
END=3000
title=secret
`
const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nsecret\n'

/** What devices and tools add to a movie of three seconds. */
const families: [string, () => Promise<string>][] = [
  ['sound that begins 0.3 s after the picture', () => remux('late-sound.mp4', ...shifted(0.3, ['-map', '0:v', '-map', '1:a']))],
  ['a picture that begins 0.3 s after the sound', () => remux('late-picture.mp4', ...shifted(0.3, ['-map', '1:v', '-map', '0:a']))],
  ['sound that outlasts the picture', () => movies.make('outlasts.mp4', ...picture(), ...tone(13), ...h264, '-c:a', 'aac')],
  ['six sound tracks', () => remux('six.mp4', '-map', '0:v', ...Array(6).fill(['-map', '0:a']).flat(), '-c', 'copy')],
  ['sound of 8 kHz', () => remux('8k.mp4', '-c:v', 'copy', '-c:a', 'aac', '-ar', '8000')],
  ['PCM sound in an MP4, as cameras write it', () => remux('xavc.mp4', '-c:v', 'copy', '-c:a', 'pcm_s16be', '-f', 'mov', '-brand', 'XAVC')],
  ['sound of FLAC', () => remux('flac.mp4', '-c:v', 'copy', '-c:a', 'flac', '-strict', '-2')],
  ['ProRes with PCM', () => remux('prores.mov', '-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'pcm_s16le')],
  ['MPEG-4', () => remux('mpeg4.mp4', '-c:v', 'mpeg4', '-bf', '2', '-an')],
  ['HEVC', () => remux('hevc.mov', '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1', '-an')],
  [
    'a cover',
    async () =>
      remux(
        'cover.mp4',
        '-i',
        await movies.make('c.jpg', ...picture(1), '-frames:v', '1'),
        '-map',
        '0',
        '-map',
        '1',
        '-c',
        'copy',
        '-disposition:v:1',
        'attached_pic',
      ),
  ],
  [
    'chapters, a place, names, a time code and subtitles',
    async () => {
      await Promise.all([writeFile(movies.pathOf('chapters.txt'), chapters), writeFile(movies.pathOf('words.srt'), subtitles)])
      const inputs = ['-i', movies.pathOf('chapters.txt'), '-i', movies.pathOf('words.srt'), '-map', '0', '-map', '2', '-map_metadata', '1']
      const names = ['-metadata:s:v', 'handler_name=secret', '-metadata:s:a', 'language=deu', '-timecode', '01:00:00:00']
      return remux('chapters.mp4', ...inputs, ...names, '-metadata', 'creation_time=2026-05-05T05:05:05Z', '-c', 'copy', '-c:s', 'mov_text')
    },
  ],
  [
    'unknown boxes after its end',
    () => followedBy('boxes.mp4', box('sefd', Buffer.from('secret')), box('uuid', Buffer.from('secret'.repeat(9)))),
  ],
  ['a line feed after its end', () => followedBy('line.mp4', Buffer.from('\n'))],
  ['other data after its end', () => followedBy('archive.mp4', Buffer.from('PK\x05\x06 secret <html><script>'))],
]

async function followedBy(name: string, ...more: Buffer[]): Promise<string> {
  await writeFile(movies.pathOf(name), Buffer.concat([await readFile(plain), ...more]))
  return movies.pathOf(name)
}

test.each(families)('a movie with %s is cleaned to three seconds of picture and at most one sound track', async (_, make) => {
  const { outcome, copy } = await movies.outcome(await make())
  expect(outcome).toMatchObject({ width: 320, height: 256, frameRate: 30, seconds: 3 })
  expect(await decoded(copy)).toEqual({ seconds: 3, frames: 90 })
  const kinds = await probed(copy, '-show_entries', 'stream=codec_type')
  expect(['video', 'video,audio']).toContain(kinds.join())
  expect((await readFile(copy)).includes('secret')).toBe(false)
  expect(await probed(copy, '-show_entries', 'format_tags:stream_tags=creation_time,language,handler_name,timecode')).not.toContain('2026')
  expect(await probed(copy, '-show_chapters')).toEqual([])
})

test.each(['24000/1001', '25', '30000/1001', '60'])(
  '%s frames/s and two seconds are exact in a time scale of 600 and from Matroska’s milliseconds',
  async rate => {
    const exact = rate
      .split('/')
      .map(Number)
      .reduce((a, b) => a / b)
    const inTicks = await movies.make(`${rate.replace('/', '-')}.mov`, ...picture(2, rate), ...h264, '-video_track_timescale', '600')
    const matroska = await movies.make(`${rate.replace('/', '-')}.mkv`, ...picture(2.01, rate), ...h264)
    const remuxed = await movies.make(`${rate.replace('/', '-')}-mkv.mp4`, '-i', matroska, '-c', 'copy')
    for (const path of [inTicks, remuxed]) {
      const { outcome } = await movies.outcome(path, { source: { declaredSeconds: 2 } })
      expect(outcome).toMatchObject({ frameRate: expect.closeTo(exact, 0) })
    }
  },
)

test.each(['aac', 'libopus', 'libmp3lame'])(
  'fragments whose first frame is extended by the lead-in of %s are two seconds without it',
  async codec => {
    const path = await movies.make(
      `fragments-${codec}.mp4`,
      ...[...picture(2, '60'), ...tone(2), ...h264, '-bf', '0', '-c:a', codec, '-ar', '48000'],
      ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
    )
    const { outcome, copy } = await movies.outcome(path, { source: { declaredSeconds: 2 } })
    expect(outcome).toMatchObject({ frameRate: 60, seconds: 2 })
    expect(await decoded(copy)).toEqual({ seconds: 2, frames: 120 })
    const last = async (file: string, stream: string) => {
      const times = await probed(file, '-select_streams', stream, '-show_entries', 'packet=pts_time')
      return Number.parseFloat(times.at(-1) ?? '')
    }
    const apart = async (file: string) => (await last(file, 'v')) - (await last(file, 'a'))
    expect(await apart(copy)).toBeCloseTo(await apart(path), 3)
  },
)

const framesOf = async (path: string) =>
  readFile(await movies.make(`${crypto.randomUUID()}.md5`, '-i', path, '-map', '0:v', '-f', 'framemd5'), 'utf8')

test('nothing is re-encoded: frames and sound packets equal the client’s', async () => {
  const { copy } = await movies.outcome(plain)
  expect(await framesOf(copy)).toBe(await framesOf(plain))
  const entries = ['-select_streams', 'a', '-show_data_hash', 'md5', '-show_entries', 'packet=pts,duration,data_hash']
  expect(await probed(copy, ...entries)).toEqual(await probed(plain, ...entries))
})

test('encoders’ and cameras’ data beside the coded pictures are removed', async () => {
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none']
  for (const path of [plain, await movies.make('x265.mp4', ...picture(), ...hevc)]) {
    expect((await readFile(path)).toString('latin1')).toMatch(/x26[45] [-(]/)
    const { outcome, copy } = await movies.outcome(path)
    expect(outcome).toMatchObject({ seconds: 3 })
    // x264's build number stays: decoders need it.
    expect((await readFile(copy)).toString('latin1').replace(/x264 - core \d+ {500,}/, '')).not.toMatch(/x26[45] [-(]/)
  }
})

test('a film of an old x264 in 4:4:4, which only its build number makes readable, is taken and looks the same', async () => {
  // Made by x264 core 148 as of 2016: the installed one writes 4:4:4 in another way.
  const old = movies.pathOf('old.mp4')
  await copyFile(join(import.meta.dir, '../testing/x264-core-148.mp4'), old)
  const { outcome, copy } = await movies.outcome(old)
  expect(outcome).toMatchObject({ width: 256, height: 256, frameRate: 24, seconds: 2 })
  expect(await framesOf(copy)).toBe(await framesOf(old))
  expect((await readFile(copy)).includes('cabac=')).toBe(false)
})

test('a copy that can’t be decoded where the file can is our own fault, and a damaged file is not', async () => {
  const old = await readFile(join(import.meta.dir, '../testing/x264-core-148.mp4'))
  // Decoders read the number in a message of any id; the cleaner keeps it in x264's own alone.
  old.write('?', old.indexOf('x264 - core') - 16)
  await writeFile(movies.pathOf('other-id.mp4'), old)
  expect(await movies.outcome(movies.pathOf('other-id.mp4')).catch(error => error)).toMatchObject({ name: 'OwnFault', part: 'copy' })
  const data = old.indexOf('mdat') - 4
  // Damage of the last frame is reported, but ends no decoder.
  for (const at of [data + 2_000, data + old.readUInt32BE(data) - 5]) {
    await writeFile(movies.pathOf('damaged.mp4'), Buffer.from(old).fill(0x5a, at, at + 5))
    expect((await movies.outcome(movies.pathOf('damaged.mp4'))).outcome).toMatchObject({ refused: 'media_corrupt' })
  }
})

test('rotation, colour and sample aspect are kept', async () => {
  const colour = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv']
  const seen = await movies.make('seen.mp4', ...picture(), ...h264, '-vf', 'setsar=4/3', ...colour)
  const turned = await movies.make('turned.mp4', '-i', seen, '-c', 'copy', '-metadata:s:v:0', 'rotate=90')
  const { outcome, copy } = await movies.outcome(turned)
  expect(outcome).toMatchObject({ width: 256, height: 320 })
  const entries = 'stream=sample_aspect_ratio,color_range,color_space,color_transfer,color_primaries:stream_side_data=rotation'
  expect(await probed(copy, '-show_entries', entries)).toEqual(await probed(turned, '-show_entries', entries))
})

test('the copy starts with its header, so that it can be streamed', async () => {
  const { copy } = await movies.outcome(plain)
  const bytes = await readFile(copy)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})
