import { expect, test } from 'bun:test'
import { colourProfile, exifBlock, outcomeForm, outcomeOf, secrets, webpChunk, webpHead, webpOf } from '../testing/pictures'
import { cleanWebp } from './clean-webp'
import type { Size } from './picture/picture'

// Handmade headers with bytes that are not decoded; measure-image.test.ts has truncated pictures.
const [width, height] = [400, 300]
const lossy = webpChunk('VP8 ', Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x90, 0x01, 0x2c, 0x01, 1, 2, 3]))
const bits = (width - 1) | ((height - 1) << 14)
const lossless = (alpha: number) => webpChunk('VP8L', Buffer.from([0x2f, ...Buffer.from(new Uint32Array([bits | alpha]).buffer)].concat(7)))
const exif = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0', 'latin1')

async function cleaned(bytes: Buffer): Promise<{ copy: Buffer; seen: Size | undefined }> {
  let seen: Size | undefined
  const checkDisplaySize = (size: Size) => {
    seen = size
  }
  const { buffers } = await cleanWebp(bytes, { checkDisplaySize, signal: new AbortController().signal })
  return { copy: Buffer.concat(buffers), seen }
}

const refusal = (bytes: Buffer) => outcomeOf(cleaned(bytes))

test.each([
  ['lossy', webpOf(lossy)],
  ['lossless, of ten bytes', webpOf(lossless(0))],
])('a plain WebP is copied unchanged: %s', async (_, bytes) => {
  expect(await cleaned(bytes)).toEqual({ copy: bytes, seen: { width, height } })
})

test('bytes after a WebP are not copied', async () => {
  for (const trailer of ['\n', '\0'.repeat(99), 'PK\x05\x06SECOND-PICTURE', webpOf(lossy).toString('latin1')])
    expect((await cleaned(Buffer.concat([webpOf(lossy), Buffer.from(trailer, 'latin1')]))).copy).toEqual(webpOf(lossy))
})

test.each(['', 'Exif\0\0'])('only orientation, profile and transparency are copied, with a matching header: %p', async prefix => {
  const alpha = webpChunk('ALPH', Buffer.from([1, 2, 3]))
  const profile = colourProfile()
  const rich = webpOf(
    webpHead(0, width, height),
    webpChunk('Jane', Buffer.from('a comment')),
    webpChunk('ICCP', Buffer.concat([profile, Buffer.from('SERIAL-4711')])),
    alpha,
    lossy,
    webpChunk('EXIF', Buffer.concat([Buffer.from(prefix), exifBlock(6, 'II')])),
    webpChunk('XMP ', Buffer.from(secrets.join(' '))),
  )
  const copy = webpOf(webpHead(0x38, width, height), webpChunk('ICCP', profile), alpha, lossy, webpChunk('EXIF', exif))
  expect(await cleaned(rich)).toEqual({ copy, seen: { width: height, height: width } })
  expect(secrets.filter(secret => copy.includes(secret))).toEqual([])
})

test('a header with flags for missing parts becomes plain, and a transparent lossless picture keeps its flag', async () => {
  expect((await cleaned(webpOf(webpHead(0x3c, width, height), lossy))).copy).toEqual(webpOf(lossy))
  const turned = webpOf(webpHead(0x08, width, height), lossless(0x1000_0000), webpChunk('EXIF', exif))
  expect((await cleaned(turned)).copy).toEqual(webpOf(webpHead(0x18, width, height), lossless(0x1000_0000), webpChunk('EXIF', exif)))
})

test('uncompressed transparency has the length of the picture', async () => {
  const raw = (bytes: number) => webpOf(webpHead(0x10, width, height), webpChunk('ALPH', Buffer.alloc(bytes)), lossy)
  expect((await cleaned(raw(1 + width * height + 50))).copy).toEqual(raw(1 + width * height))
  expect(await refusal(raw(width * height))).toBe('media_corrupt: a WebP with cut transparency')
})

const frames = Array.from({ length: 3 }, () => webpChunk('ANMF', Buffer.alloc(16)))
test.each([
  ['media_type_unsupported: an animated WebP', webpOf(webpHead(2, width, height), ...frames)],
  ['media_type_unsupported: an animated WebP', webpOf(webpHead(2, width, height), lossy)],
  ['media_type_unsupported: an animated WebP', webpOf(webpHead(0, width, height), lossy, ...frames)],
  ['media_corrupt: a WebP of 2 pictures', webpOf(lossy, lossless(0))],
  ['media_corrupt: a WebP of 0 pictures', webpOf(webpHead(0, width, height))],
  ['media_corrupt: a WebP whose head says 16000 × 16000 and whose picture 400 × 300', webpOf(webpHead(0, 16_000, 16_000), lossy)],
  ['media_corrupt: a WebP with a broken picture', webpOf(webpChunk('VP8 ', Buffer.alloc(20)))],
  ['media_corrupt: a WebP with a broken picture', webpOf(webpChunk('VP8L', Buffer.alloc(20)))],
  ['media_corrupt: a WebP of 33 bytes that says 34', webpOf(lossy).subarray(0, 33)],
  ['media_corrupt: a WebP with a part that goes on behind its end', webpOf(lossy.subarray(0, -4))],
  ['media_corrupt: a WebP of more than 100000 parts', webpOf(lossy, ...Array(100_000).fill(webpChunk('junk', Buffer.alloc(0))), lossy)],
])('%s', async (problem, bytes) => {
  expect(await refusal(bytes)).toBe(problem)
})

test('a WebP with any cut or byte change is either copied or rejected', async () => {
  const rich = webpOf(
    webpHead(0, width, height),
    webpChunk('ICCP', colourProfile()),
    webpChunk('ALPH', Buffer.from([1, 2])),
    lossy,
    webpChunk('EXIF', exif),
  )
  for (let bytes = 0; bytes < rich.length; bytes += 1) expect(await refusal(rich.subarray(0, bytes))).toMatch(outcomeForm)
  for (let at = 0; at < rich.length; at += 1) {
    const broken = Buffer.from(rich)
    broken[at] = 0xff
    expect(await refusal(broken)).toMatch(outcomeForm)
    // The same after a header with the file's length.
    const cut = rich.subarray(0, at)
    if (at >= 12) expect(await refusal(webpOf(cut.subarray(12)))).toMatch(outcomeForm)
  }
  const odd = Buffer.from(webpOf(lossy, Buffer.alloc(7)))
  odd.writeUInt32LE(odd.length - 7, 4)
  expect(await refusal(odd)).toMatch(outcomeForm)
})
