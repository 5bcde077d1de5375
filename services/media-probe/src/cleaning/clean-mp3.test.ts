import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '@filmgate/kit/failure'
import { findingOf } from '../errors'
import { ffmpegBytes, makeFile, played, sine } from '../testing/make-sound'
import { cleanMp3 } from './clean-mp3'
import { readFrame } from './mp3/frame'

let folder: string
/** Three seconds as ffmpeg writes them with a header, and their frames alone. */
let whole: Buffer
let frames: Buffer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clean-mp3-'))
  whole = await makeFile(folder, 'whole.mp3', [...sine(3), '-id3v2_version', '0', '-write_id3v1', '0'])
  frames = await ffmpegBytes([...sine(3), '-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0'])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const copyOf = (file: Buffer) => Buffer.concat(cleanMp3(file).buffers)
function refusal(file: Buffer): [string, string] {
  try {
    return ['accepted', String(cleanMp3(file).seconds)]
  } catch (error) {
    return error instanceof Failure ? [error.reason, findingOf(error).measured] : ['thrown', String(error)]
  }
}

const text = (words: string) => Buffer.from(words, 'latin1')
const secret = text('Jane Doe 52.3702N 4.8952E')
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const synchsafe = (size: number) => Buffer.from([21, 14, 7, 0].map(shift => (size >> shift) & 0x7f))
const filled = (length: number) => Buffer.concat([secret, Buffer.alloc(length - secret.length, 'Z')])
const id3 = (length: number, flags = 0) => Buffer.concat([text('ID3\x04\0'), Buffer.from([flags]), synchsafe(length), filled(length)])
const footer = (length: number) => Buffer.concat([text('3DI\x04\0\x10'), synchsafe(length)])
const id3v1 = () => Buffer.concat([text('TAG'), secret, Buffer.alloc(125 - secret.length)])
const apeEnd = (isHeader: boolean, length: number) =>
  Buffer.concat([text('APETAGEX'), u32(2000), u32(length + 32), u32(1), u32(isHeader ? 0xa0000000 : 0x80000000), Buffer.alloc(8)])
const ape = (length: number) => Buffer.concat([apeEnd(true, length), filled(length), apeEnd(false, length)])
const lyrics = (end: string) => Buffer.concat([text('LYRICSBEGIN'), secret, text(end)])
const bytesPerFrame = 208
const zeros = Buffer.alloc(100_000)

describe('only frames are kept, whatever is between them', () => {
  test.each([
    ['a cover of 6 MB', () => [id3(6_000_000), whole]],
    ['three tags one after the other', () => [id3(100), id3(2_000), id3(50), whole]],
    ['a tag with a footer', () => [id3(300, 0x10), footer(300), whole]],
    ['a tag after the sound', () => [whole, id3(300, 0x10), footer(300)]],
    ['ID3v1, twice', () => [whole, id3v1(), id3v1()]],
    ['an enhanced ID3v1', () => [whole, text('TAG+'), secret, Buffer.alloc(223 - secret.length), id3v1()]],
    ['APE in front', () => [ape(500), whole]],
    ['APE and ID3v1 after it', () => [whole, ape(70_000), id3v1()]],
    ['APE of the first version, without a header', () => [whole, filled(90_000), apeEnd(false, 90_000), id3v1()]],
    ['Lyrics3', () => [whole, lyrics('LYRICSEND'), id3v1()]],
    ['Lyrics3 of the second version', () => [whole, lyrics('000045LYRICS200'), id3v1()]],
    ['zeros before and after', () => [zeros, whole, zeros]],
    ['a tag, zeros, a tag', () => [id3(100), zeros, id3(100), whole]],
    ['bytes that a tag’s size omits', () => [id3(100), filled(60_000), whole]],
    ['a page and an archive after it', () => [whole, text('<html></html>'), filled(200_000), text('PK\x05\x06'), Buffer.alloc(18)]],
  ] as [string, () => Buffer[]][])('%s', (_, buffers) => {
    const copy = copyOf(Buffer.concat(buffers()))
    expect(copy.equals(copyOf(whole))).toBe(true)
    expect(copy.includes(secret)).toBe(false)
  })

  test('a tag, zeros or a few bytes between frames are removed', () => {
    const cleaned = copyOf(frames)
    const at = 8_000
    const first = cleaned.subarray(cleaned.length - frames.length)
    for (const between of [id3(5_000), id3v1(), ape(500), zeros, filled(3_000)]) {
      const copy = copyOf(Buffer.concat([frames.subarray(0, frameStart(frames, at)), between, frames.subarray(frameStart(frames, at))]))
      expect(copy.equals(cleaned)).toBe(true)
      expect(copy.subarray(copy.length - frames.length).equals(first)).toBe(true)
    }
  })

  test('a partial frame at the start, and one at the end without a header count, are removed', () => {
    const [from, to] = [frameStart(frames, 5_000), frameStart(frames, 15_000)]
    const copy = copyOf(frames.subarray(from - 100, to + 100))
    // The next frame's main data in earlier frames is gone with it.
    const kept = copyOf(frames)
      .subarray(-frames.length)
      .subarray(from, to - 1_000)
    expect(copy.subarray(from - to, -1_000).equals(kept)).toBe(true)
    expect(copy.length - (to - from)).toBe(copyOf(frames).length - frames.length)
  })

  test('a truncated last frame reduces the padding', () => {
    const cut = cleanMp3(whole.subarray(0, whole.length - 50))
    expect(Math.abs(cut.seconds - cleanMp3(whole).seconds)).toBeLessThan(cut.frameSeconds)
    expect(cut.untrimmedSeconds).toBeCloseTo(cleanMp3(whole).untrimmedSeconds - cut.frameSeconds, 6)
  })

  test('an older clean copy stays unchanged', () => {
    expect(copyOf(copyOf(whole)).equals(copyOf(whole))).toBe(true)
  })
})

/** The header frame with the count. */
const header = () => whole.subarray(0, readFrame(whole, 0)?.bytes)

/** The first frame from this byte on: 208 bytes each at 64 kbit/s, or 209 with padding. */
function frameStart(bytes: Buffer, from: number): number {
  let at = 0
  while (at < from) at += bytesPerFrame + (((bytes[at + 2] ?? 0) >> 1) & 1)
  return at
}

test.each([
  ['8 kHz', ['-ar', '8000', '-b:a', '16k']],
  ['11.025 kHz', ['-ar', '11025', '-q:a', '5']],
  ['12 kHz', ['-ar', '12000', '-q:a', '2']],
  ['16 kHz', ['-ar', '16000', '-b:a', '32k']],
  ['22.05 kHz in stereo', ['-ar', '22050', '-ac', '2', '-q:a', '9']],
  ['24 kHz at 160 kbit/s', ['-ar', '24000', '-b:a', '160k']],
  ['32 kHz', ['-ar', '32000', '-b:a', '320k']],
  ['44.1 kHz, joint stereo of a variable rate', ['-ac', '2', '-q:a', '0', '-joint_stereo', '1']],
  ['48 kHz', ['-ar', '48000', '-ac', '2', '-abr', '1', '-b:a', '96k']],
] as [string, string[]][])('the copy plays the same samples as the file: %s', async (name, options) => {
  const file = await makeFile(folder, `${name.replace(/\W/g, '_')}.mp3`, [...sine(2.3), ...options])
  const cleaned = cleanMp3(file)
  const [before, after] = await Promise.all([played(folder, 'mp3', file), played(folder, 'mp3', Buffer.concat(cleaned.buffers))])
  expect(after.equals(before)).toBe(true)
  expect(after.length / 2 / cleaned.channels).toBe(Math.round(cleaned.seconds * cleaned.sampleRate))
  expect(cleaned.seconds).toBeCloseTo(2.3, 2)
})

test('frames keep their checksums', async () => {
  const bare = await ffmpegBytes([...sine(3), '-b:a', '320k', '-reservoir', '0', '-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0'])
  const guarded: Buffer[] = []
  for (let at = 0; at + 1_044 < bare.length; ) {
    const bytes = 1_044 + (((bare[at + 2] ?? 0) >> 1) & 1)
    // Frames as large as these end in stuffing.
    const frame = Buffer.concat([bare.subarray(at, at + 4), text('CR'), bare.subarray(at + 4, at + bytes - 2)])
    frame.writeUInt8((frame[1] ?? 0) & 0xfe, 1)
    guarded.push(frame)
    at += bytes
  }
  const copy = copyOf(Buffer.concat(guarded))
  expect(
    copy
      .subarray(-1_044)
      .subarray(0, 40)
      .equals((guarded.at(-1) ?? copy).subarray(-1_044).subarray(0, 40)),
  ).toBe(true)
  const [before, after] = await Promise.all([played(folder, 'mp3', Buffer.concat(guarded)), played(folder, 'mp3', copy)])
  expect(after.equals(before)).toBe(true)
})

test('ancillary data between frames are blanked without changing the sound', async () => {
  const planted = Buffer.from(frames)
  for (let at = planted.indexOf('LAME3.100'); at !== -1; at = planted.indexOf('LAME3.100', at + 1)) planted.write('Jane Doe!', at)
  expect(planted.includes('Jane Doe!')).toBe(true)
  const copy = copyOf(planted)
  expect(copy.includes('Jane')).toBe(false)
  const [before, after] = await Promise.all([played(folder, 'mp3', planted), played(folder, 'mp3', copy)])
  expect(after.equals(before)).toBe(true)
})

describe('the copy’s header has the correct count, whatever the file’s was', () => {
  const counted = (copy: Buffer) => {
    const at = Math.max(copy.indexOf('Xing'), copy.indexOf('Info'))
    return [copy.readUInt32BE(at + 8), copy.readUInt32BE(at + 12)]
  }
  test.each([10, 100_000])('it counted %i frames', count => {
    const lying = Buffer.from(whole)
    lying.writeUInt32BE(count, Math.max(whole.indexOf('Xing'), whole.indexOf('Info')) + 8)
    const copy = copyOf(lying)
    expect(counted(copy)).toEqual([counted(copyOf(whole))[0] ?? 0, copy.length])
  })

  test('joined recordings have the sum of both lengths, and the second header adds no silence', () => {
    const two = copyOf(Buffer.concat([whole, id3v1(), id3(100), whole]))
    expect(counted(two)).toEqual([2 * (counted(copyOf(whole))[0] ?? 0), two.length])
    expect(two.lastIndexOf('Info')).toBe(two.indexOf('Info'))
  })

  test('an implausible delay or padding hides no sound', () => {
    const hiding = Buffer.from(whole)
    const lameAt = whole.indexOf('Lavc')
    hiding.writeUIntBE(0xffffff, lameAt + 21, 3)
    expect(cleanMp3(hiding)).toMatchObject({ trimmed: false, seconds: cleanMp3(whole).untrimmedSeconds })
  })
})

test.each([
  ['in the middle', () => whole.subarray(0, whole.length >> 1), 'an MP3 that breaks off after'],
  ['a tag longer than the file', () => Buffer.concat([text('ID3\x04\0\0\x7f\x7f\x7f\x7f'), whole]), 'an MP3 with a tag of'],
  [
    'too many unknown bytes within the sound',
    () => Buffer.concat([whole, filled(70_000), whole]),
    'an MP3 with something else within its sound',
  ],
  ['too many unknown bytes before the sound', () => Buffer.concat([filled(70_000), whole]), 'a file without MP3 sound'],
  ['no sound at all', () => Buffer.concat([id3(1_000), filled(10_000)]), 'a file without MP3 sound'],
  [
    'headers and one frame',
    () => Buffer.concat([...Array(2).fill(header()), frames.subarray(0, bytesPerFrame)]),
    'a file without MP3 sound',
  ],
] as [string, () => Buffer, string][])('a damaged file is rejected: %s', (_, make, words) => {
  const [reason, measured] = refusal(make())
  expect([reason, measured.startsWith(words)]).toEqual(['media_corrupt', true])
})

test('formats that players disagree on are rejected: changed rate, changed channels, free format', async () => {
  const other = (options: string[]) => ffmpegBytes([...sine(1), ...options, '-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0'])
  expect(refusal(Buffer.concat([frames, await other(['-ar', '48000'])]))).toEqual([
    'media_corrupt',
    'an MP3 that changes from 44100 Hz mono to 48000 Hz mono in its middle',
  ])
  expect(refusal(Buffer.concat([frames, await other(['-ac', '2'])]))).toEqual([
    'media_corrupt',
    'an MP3 that changes from 44100 Hz mono to 44100 Hz stereo in its middle',
  ])
  const free = Buffer.from(frames)
  for (let at = 0; at < free.length; at = frameStart(frames, at + 1)) free.writeUInt8((free[at + 2] ?? 0) & 0x0f, at + 2)
  expect(refusal(free)).toEqual(['media_type_unsupported', 'an MP3 in the free format, with a bit rate of its own'])
})

test('the number of frames is limited', () => {
  const shortest = Buffer.alloc(24)
  shortest.set([0xff, 0xf3, 0x14, 0xc4])
  expect(refusal(Buffer.alloc(15_000_000, shortest))).toEqual(['media_duration', 'an MP3 of over half an hour'])
})

test('a file of only frame headers is rejected quickly', () => {
  const before = process.cpuUsage()
  // Fifteen million bytes each; 1.2 s in all on a slow machine. Other work of the test doesn't count.
  for (const piece of ['ID3\x04\0\0\0\0\0\x01', '\xff\xfb\x90\x64', '\xff', 'ID3', 'LYRICSBEGIN', 'APETAGEX'])
    refusal(Buffer.concat([frames.subarray(0, frameStart(frames, 4_000)), Buffer.alloc(15_000_000, piece, 'latin1')]))
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(10)
})
