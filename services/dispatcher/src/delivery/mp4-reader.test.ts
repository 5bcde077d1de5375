import { afterAll, expect, test } from 'bun:test'
import { h264, makeFilm, picture, tone } from '../testing/make-film'
import { createMp4Check } from './check-mp4'
import { createMp4Reader } from './mp4-reader'

const reader = createMp4Reader()
afterAll(() => reader.close())

/** What a file is found to be, or the words of its fault. */
async function read(file: Uint8Array, by = reader) {
  const check = createMp4Check()
  try {
    for (let at = 0; at < file.length; at += 4_096) check.take(file.subarray(at, at + 4_096))
    return await by.read(check.end())
  } catch (error) {
    return String(error)
  }
}

const coded = { codedWidth: 320, codedHeight: 180 }
const plain = { ...coded, durationMs: 2_000, width: 320, height: 180, frameRate: 24, videoCodec: 'h264', hasAudio: false }

test.each([
  ['H.264 and sound', [...picture, ...tone, ...h264, '-c:a', 'aac'], { ...plain, hasAudio: true }],
  ['its tables before its samples', [...picture, ...h264, '-movflags', '+faststart'], plain],
  ['fragments', [...picture, ...h264, '-bf', '0', '-movflags', 'frag_keyframe+empty_moov'], plain],
  [
    'HEVC of 10 bits',
    [...picture, '-c:v', 'libx265', '-pix_fmt', 'yuv420p10le', '-x265-params', 'log-level=none'],
    { ...plain, videoCodec: 'hevc' },
  ],
  ['pixels twice as wide as high', [...picture, '-vf', 'setsar=2', ...h264], { ...plain, width: 640 }],
  ['two picture tracks', [...picture, ...picture, '-map', '0', '-map', '1', ...h264], plain],
  [
    'sound that is longer than the picture',
    [...picture, '-f', 'lavfi', '-i', 'sine=duration=5', ...h264, '-c:a', 'aac'],
    { ...plain, hasAudio: true },
  ],
])('a film is read for what it is: %s', async (_, args, expected) => {
  expect(await read(await makeFilm(...args))).toEqual(expected)
})

test('sound alone, and a codec that no player of the web has, are no video', async () => {
  expect(await read(await makeFilm(...tone, '-c:a', 'aac'))).toBe('OutputFault: is an MP4 without a picture track')
  expect(await read(await makeFilm(...picture, '-c:v', 'mpeg4'))).toBe('OutputFault: has a picture track of no known codec')
})

/** `film` with a number of 32 bits changed, so far behind the type of its first box `type`. */
function changed(film: Buffer, type: string, offset: number, ...values: number[]): Buffer {
  const copy = Buffer.from(film)
  for (const [index, value] of values.entries()) copy.writeUInt32BE(value, copy.indexOf(type, 0, 'latin1') + offset + 4 * index)
  return copy
}
const box = (type: string, body: Uint8Array) => {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + body.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}
const around = (moov: Buffer) => Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isom')), moov, box('mdat', Buffer.alloc(100))])

test('frames outside the file, of no size or without a length are no video', async () => {
  const film = await makeFilm(...picture, ...h264, '-bf', '0')
  expect(await read(changed(film, 'stco', 12, 0x7fffffff))).toBe('OutputFault: has frames outside the file')
  expect(await read(changed(film, 'stts', 16, 0))).toBe('OutputFault: has a picture track of no length')
  expect(await read(changed(film, 'stsz', 8, 0x7fffff))).toStartWith('OutputFault: has 402653136 bytes of frames')
  expect(await read(around(box('moov', Buffer.alloc(0))))).toBe('OutputFault: is an MP4 without a picture track')
})

test('sides and lengths that no video has are refused, whatever pixel aspect ratio and time scale say', async () => {
  const film = await makeFilm(...picture, '-vf', 'setsar=2', ...h264, '-bf', '0')
  expect(await read(changed(film, 'pasp', 4, 0xffffffff, 1))).toBe('OutputFault: has pictures of 1374389534400 × 180')
  expect(await read(changed(film, 'pasp', 4, 1, 0xffffffff))).toBe('OutputFault: has pictures of 320 × 773094113100')
  expect(await read(changed(film, 'stts', 16, 0x7fffffff))).toBe('OutputFault: has a picture track of 8388607996 ms')
})

test('a sound track without a sample is no sound', async () => {
  const sound = ['-c:a', 'aac', '-map', '1:a', '-map', '0:v']
  const film = await makeFilm(...picture, ...tone, ...h264, ...sound)
  const silent = ['stts', 'stsc', 'stsz', 'stco'].reduce((file, type) => changed(file, type, type === 'stsz' ? 12 : 8, 0), film)
  expect(await read(film)).toEqual({ ...plain, hasAudio: true })
  expect(await read(silent)).toEqual(plain)
})

test('frames that are noise pass: they are not decoded', async () => {
  const film = await makeFilm(...picture, ...h264)
  const mdat = film.indexOf('mdat', 0, 'latin1')
  film.fill(7, mdat + 4, mdat - 4 + film.readUInt32BE(mdat - 4))
  expect(await read(film)).toEqual(plain)
})

test('what the parsing library can’t read proves nothing: the sound of a film that plays may be the cause', async () => {
  const film = await makeFilm(...picture, ...tone, ...h264, '-c:a', 'aac')
  expect(await read(changed(film, 'esds', 8, 0))).toBe('UnreadMp4: the MP4 was not read: Error: Assertion failed.')
  expect(await read(film)).toEqual({ ...plain, hasAudio: true })
})

test('boxes in boxes without end, and tables without end, are refused', async () => {
  const deep = 100_000
  const nested = Buffer.concat(
    Array.from({ length: deep }, (_, depth) => {
      const header = Buffer.from('\0\0\0\0minf')
      header.writeUInt32BE(8 * (deep - depth))
      return header
    }),
  )
  expect(await read(around(box('moov', nested)))).toStartWith('UnreadMp4: the MP4 was not read: RangeError')
  expect(await read(around(box('moov', Buffer.alloc(9_000_000))))).toBe('OutputFault: has more than 8388608 bytes of tables')
})

test('a film of many small boxes is read in time', async () => {
  const film = await makeFilm(...picture, ...h264, '-bf', '0', '-movflags', 'frag_keyframe+empty_moov')
  const [tail, tiny] = [film.lastIndexOf(Buffer.from('mfra')) - 4, box('mdat', Buffer.alloc(1))]
  const file = Buffer.concat([film.subarray(0, tail), ...Array(90_000).fill(tiny)])
  const unhurried = createMp4Reader({ timeoutMs: 30_000 })
  expect(await read(file, unhurried)).toEqual(plain)
  unhurried.close()
})

test('a count of billions costs neither the process its memory nor others their turn, and proves nothing', async () => {
  const film = await makeFilm(...picture, ...h264)
  const quick = createMp4Reader({ timeoutMs: 2_000 })
  const [bomb, after] = [read(changed(film, 'stts', 12, 0xffffffff), quick), read(film, quick)]
  expect(await bomb).toMatch(/^UnreadMp4: the MP4 was not read within (268435456 bytes of memory|2000 ms)$/)
  expect(await after).toEqual(plain)
  expect(await read(changed(film, 'ctts', 12, 0xffffffff), quick)).toBe('UnreadMp4: the MP4 was not read within 2000 ms')
  expect(await read(film, quick)).toEqual(plain)
  quick.close()
})
