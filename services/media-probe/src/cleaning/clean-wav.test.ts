import { describe, expect, test } from 'bun:test'
import { Failure } from '@filmgate/kit/failure'
import { findingOf } from '../errors'
import { cleanWav } from './clean-wav'

const text = (words: string) => Buffer.from(words, 'latin1')
const u16 = (...values: number[]) => Buffer.concat(values.map(value => Buffer.from([value & 0xff, value >> 8])))
const u32 = (...values: number[]) => Buffer.concat(values.map(value => Buffer.from(new Uint32Array([value]).buffer)))
const chunk = (type: string, data: Buffer, says = data.length) =>
  Buffer.concat([text(type), u32(says), data, Buffer.alloc(data.length % 2)])
const riff = (chunks: Buffer[], says = Buffer.concat(chunks).length + 4) =>
  Buffer.concat([text('RIFF'), u32(says), text('WAVE'), ...chunks])

const numbered = Buffer.from('000000001000800000aa00389b71', 'hex')
const format = (
  encoding: number,
  channels: number,
  sampleRate: number,
  bits: number,
  blockBytes = (channels * Math.ceil(bits / 8) * 8) / 8,
) => Buffer.concat([u16(encoding, channels), u32(sampleRate, sampleRate * blockBytes), u16(blockBytes, bits)])
const extensible = (encoding: number, channels: number, sampleRate: number, bits: number, valid = bits, mask = 0, guid = numbered) =>
  Buffer.concat([format(0xfffe, channels, sampleRate, bits), u16(22, valid), u32(mask), u16(encoding), guid])
const fmt = (data: Buffer) => chunk('fmt ', data)
const plain = fmt(format(1, 1, 44_100, 16))
const sound = Buffer.from(Uint8Array.from({ length: 20_000 }, (_, at) => (at * 7919) >> 3))
const data = chunk('data', sound)
const usual = riff([plain, data])

const secret = text('Jane Doe 52.3702N 4.8952E')
const copyOf = (file: Buffer) => Buffer.concat(cleanWav(file).buffers)
function refusal(file: Buffer): [string, string] {
  try {
    return ['accepted', String(cleanWav(file).seconds)]
  } catch (error) {
    return error instanceof Failure ? [error.reason, findingOf(error).measured] : ['thrown', String(error)]
  }
}

describe('only the sound is kept, after a new header', () => {
  test.each([
    ['as it is', usual],
    ['a list of names', riff([chunk('LIST', Buffer.concat([text('INFOIART'), u32(secret.length), secret])), plain, data])],
    ['a broadcast recorder’s', riff([chunk('bext', Buffer.concat([secret, Buffer.alloc(602)])), chunk('iXML', secret), plain, data])],
    ['chunks behind the sound', riff([plain, data, chunk('id3 ', secret), chunk('cue ', secret), chunk('_PMX', secret)])],
    ['a longer format chunk', riff([chunk('fmt ', Buffer.concat([format(1, 1, 44_100, 16), u16(0)])), data])],
    ['the extensible form where the plain one says all', riff([fmt(extensible(1, 1, 44_100, 16, 16, 4)), data])],
    ['padding of a page', riff([chunk('JUNK', Buffer.alloc(4_000)), plain, chunk('PAD ', Buffer.alloc(28)), data])],
    ['an odd chunk without its byte of padding', riff([Buffer.concat([text('bext'), u32(25), secret]), plain, data])],
    ['an archive behind it', Buffer.concat([usual, secret, text('PK\x05\x06'), Buffer.alloc(18)])],
    ['its own length as 0', riff([plain, data], 0)],
    ['its own length as unknown', riff([plain, data], 0xffffffff)],
    ['a recorder that was switched off', riff([plain, chunk('data', sound, 0)], 0)],
    ['a stream', riff([plain, chunk('data', sound, 0xffffffff)], 0xffffffff)],
    ['a stream of sox', riff([plain, chunk('data', sound, 0x7ffff000)], 0x7ffff024)],
    ['a stream of arecord', riff([plain, chunk('data', sound, 0x80000000)], 0x80000024)],
    ['a size that counts the header in', riff([plain, chunk('data', sound, sound.length + 44)])],
    ['RF64', rf64('RF64')],
    ['BW64', rf64('BW64')],
  ])('%s', (_, file) => {
    expect(copyOf(file).equals(usual)).toBe(true)
    expect(copyOf(file).includes(secret)).toBe(false)
  })
})

function rf64(name: string): Buffer {
  const sizes = Buffer.concat([u32(0, 0, sound.length, 0, 10_000, 0), u32(0)])
  const chunks = [chunk('ds64', sizes), chunk('bext', secret), plain, chunk('data', sound, 0xffffffff)]
  return Buffer.concat([text(name), u32(0xffffffff), text('WAVE'), ...chunks, chunk('LIST', secret)])
}

test.each([
  ['8 bits, mono', format(1, 1, 8_000, 8), 'pcm_u8', 16],
  ['16 bits, stereo', format(1, 2, 48_000, 16), 'pcm_s16le', 16],
  ['24 bits', format(1, 2, 96_000, 24), 'pcm_s24le', 40],
  ['20 bits', format(1, 2, 96_000, 20), 'pcm_s24le', 40],
  ['32 bits, extensible', extensible(1, 2, 48_000, 32, 24, 3), 'pcm_s32le', 40],
  ['floats', format(3, 1, 48_000, 32), 'pcm_f32le', 40],
  ['double floats, extensible', extensible(3, 2, 48_000, 64), 'pcm_f64le', 40],
  ['six loudspeakers', extensible(1, 6, 48_000, 16, 16, 0x3f), 'pcm_s16le', 40],
  ['four channels of nobody knows where', format(1, 4, 48_000, 16), 'pcm_s16le', 40],
] as [string, Buffer, string, number][])(
  'samples are unchanged, and cleaning a copy again changes nothing: %s',
  (_, formatChunk, codec, formatBytes) => {
    const blockBytes = formatChunk.readUInt16LE(12)
    const cleaned = cleanWav(riff([fmt(formatChunk), chunk('data', sound)]))
    const copy = Buffer.concat(cleaned.buffers)
    const blocks = Math.floor(sound.length / blockBytes)
    expect(copy.readUInt32LE(16)).toBe(formatBytes)
    expect(copy.subarray(28 + formatBytes, 28 + formatBytes + blocks * blockBytes).equals(sound.subarray(0, blocks * blockBytes))).toBe(
      true,
    )
    expect([copy.readUInt32LE(4), copy.readUInt32LE(24 + formatBytes)]).toEqual([copy.length - 8, blocks * blockBytes])
    expect(cleaned).toMatchObject({ codec, seconds: blocks / formatChunk.readUInt32LE(4), channels: formatChunk.readUInt16LE(2) })
    expect(copyOf(copy).equals(copy)).toBe(true)
  },
)

test('the channel mask is kept, and valid bits if players read samples by them', () => {
  const written = (bits: number, valid: number) => {
    const copy = copyOf(riff([fmt(extensible(1, 6, 48_000, bits, valid, 0x60f)), data]))
    return [copy.readUInt16LE(34), copy.readUInt16LE(38), copy.readUInt32LE(40)]
  }
  expect(written(24, 20)).toEqual([24, 20, 0x60f])
  // ffmpeg would read 24-bit samples from 32-bit blocks.
  expect(written(32, 24)).toEqual([32, 32, 0x60f])
})

test.each([
  ['MP3', fmt(format(85, 2, 44_100, 16)), 'a WAV that holds MP3'],
  ['MP3 behind an extensible header', fmt(extensible(85, 2, 44_100, 16)), 'a WAV that holds MP3'],
  ['A-law', fmt(format(6, 1, 8_000, 8)), 'a WAV that holds A-law'],
  ['A-law behind an extensible header', fmt(extensible(6, 1, 8_000, 8)), 'a WAV that holds A-law'],
  ['ADPCM', fmt(format(17, 1, 8_000, 4)), 'a WAV that holds IMA ADPCM'],
  ['something nobody knows', fmt(format(0x1234, 1, 8_000, 8)), 'a WAV that holds encoding 4660'],
  ['a GUID of its own', fmt(extensible(1, 2, 44_100, 16, 16, 0, Buffer.alloc(14, 7))), 'a WAV of an unknown encoding'],
])('compressed sound is rejected by name: %s', (_, formatChunk, words) => {
  expect(refusal(riff([formatChunk, data]))).toEqual(['media_type_unsupported', words])
})

test.each([
  ['cut in its sound', usual.subarray(0, 10_000), 'a WAV that breaks off after 9956 of 20000 bytes of sound'],
  ['cut before it', usual.subarray(0, 30), 'a WAV that ends within its "fmt " part'],
  ['two formats', riff([plain, plain, data]), 'a WAV that describes its sound twice'],
  ['no format before the sound', riff([data, plain]), 'a WAV without a word on its sound before it'],
  ['no sound', riff([plain]), 'a WAV without sound'],
  ['an empty sound', riff([plain, chunk('data', Buffer.alloc(0))]), 'a WAV without sound'],
  ['an empty sound and a list', riff([plain, chunk('data', Buffer.alloc(0)), chunk('LIST', secret)]), 'a WAV without sound'],
  ['less than one sample', riff([fmt(format(1, 2, 44_100, 24)), chunk('data', Buffer.alloc(5))]), 'a WAV without sound'],
  ['no channels', riff([fmt(format(1, 0, 44_100, 16, 2)), data]), 'a WAV of 0 channels'],
  ['65,535 channels', riff([fmt(format(1, 65_535, 44_100, 16, 2)), data]), 'a WAV of 65535 channels'],
  ['1 Hz', riff([fmt(format(1, 1, 1, 16)), data]), 'a WAV of 1 samples a second'],
  ['blocks of another size', riff([fmt(format(1, 2, 44_100, 16, 3)), data]), 'a WAV of 16 bits with blocks of 3 bytes for 2 channels'],
  ['floats of 16 bits', riff([fmt(format(3, 1, 44_100, 16)), data]), 'a WAV of 16 bits with blocks of 2 bytes for 1 channels'],
  ['a format of ten bytes', riff([chunk('fmt ', Buffer.alloc(10)), data]), 'a WAV with a short format chunk'],
  ['10,000 chunks', riff([...Array(10_000).fill(chunk('JUNK', Buffer.alloc(0))), plain, data]), 'a WAV without sound'],
])('a damaged or contradictory file is rejected: %s', (_, file, words) => {
  expect(refusal(file)).toEqual(['media_corrupt', words])
})

test('RF64 without its lengths is rejected', () => {
  expect(refusal(Buffer.concat([text('RF64'), usual.subarray(4)]))).toEqual(['media_type_unsupported', 'an RF64 without its lengths'])
})
