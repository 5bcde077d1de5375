import { expect, test } from 'bun:test'
import { colourProfile, exifBlock, jpegSegment, outcomeForm, outcomeOf, secrets, withSegments } from '../testing/pictures'
import { cleanJpeg } from './clean-jpeg'
import type { Size } from './picture/picture'

// Small handmade pictures; measure-image.test.ts and tests/media decode copies.
const table = jpegSegment(0xdb, Buffer.from([0, ...Array(64).fill(1)]))
const codes = jpegSegment(0xc4, Buffer.from([0, 1, ...Array(15).fill(0), 0]))
const frame = (kind: number) => jpegSegment(kind, Buffer.from([8, 1, 44, 1, 144, 1, 1, 0x11, 0]))
const scan = (first: number, last: number, bits: number) =>
  Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, first, last, bits])), Buffer.from([0x55, 0xff, 0x00, 0xff, 0xd0, 0xaa])])
const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]
const body = Buffer.concat([table, codes, frame(0xc0), scan(0, 63, 0)])
const plain = Buffer.concat([start, body, end])
const steps = (...scans: Buffer[]) => Buffer.concat([start, table, codes, frame(0xc2), ...scans])

async function cleaned(bytes: Buffer): Promise<{ copy: Buffer; seen: Size | undefined }> {
  let seen: Size | undefined
  const checkDisplaySize = (size: Size) => {
    seen = size
  }
  const { buffers } = await cleanJpeg(bytes, { checkDisplaySize, signal: new AbortController().signal })
  return { copy: Buffer.concat(buffers), seen }
}

const refusal = (bytes: Buffer) => outcomeOf(cleaned(bytes))

test('a plain JPEG is copied unchanged', async () => {
  expect((await cleaned(plain)).copy).toEqual(plain)
})

test.each(
  Object.entries({
    'a newline': Buffer.from('\r\n'),
    'padding of zeros': Buffer.alloc(4_096),
    'padding of ones': Buffer.alloc(4_096, 0xff),
    'a Galaxy’s trailer (SEF)': Buffer.from('SECOND-PICTURE\0\0SEFH\x6b\0\0\0\x01\0\0\0SEFT', 'latin1'),
    'a second picture': Buffer.concat([plain, Buffer.from('SECOND-PICTURE'), plain]),
    'a motion photo’s movie': Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0SECOND-PICTURE', 'latin1'),
    'an archive': Buffer.from('PK\x05\x06SECOND-PICTURE', 'latin1'),
    'a page': Buffer.from('<html><body>SECOND-PICTURE</body></html>'),
  }),
)('bytes after a JPEG are not copied: %s', async (_, trailer) => {
  expect((await cleaned(Buffer.concat([plain, trailer]))).copy).toEqual(plain)
})

test.each(['MM', 'II'] as const)('only orientation, profile and colour transform of application segments are copied: %s', async order => {
  const profile = colourProfile(90_000)
  const pieces = [profile.subarray(0, 50_000), profile.subarray(50_000)]
  const rich = withSegments(
    plain,
    jpegSegment(0xe0, 'JFIF\0\x01\x02\x01\0\x48\0\x48\x01\x01', 'THUMBNAIL'),
    jpegSegment(0xe0, 'JFXX\0\x10', 'THUMBNAIL'),
    jpegSegment(0xe1, 'Exif\0\0', exifBlock(6, order), 'NOTE-OF-THE-MAKER'),
    jpegSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x xmlns="adobe:ns:meta">52.5163</x>'),
    ...Array.from({ length: 20 }, () => jpegSegment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', Buffer.alloc(60_000, 'Jane Doe'))),
    ...pieces.map((piece, index) => jpegSegment(0xe2, 'ICC_PROFILE\0', Buffer.from([index + 1, 2]), piece)).reverse(),
    jpegSegment(0xe2, 'MPF\0', 'SECOND-PICTURE'),
    jpegSegment(0xed, 'Photoshop 3.0\0', 'Jane Doe'),
    jpegSegment(0xee, 'Adobe\0\x64\x80\0\0\0\x01', 'NOTE-OF-THE-MAKER'),
    jpegSegment(0xfe, 'a comment'),
    Buffer.from('SECOND-PICTURE between two segments'),
  )
  const { copy, seen } = await cleaned(rich)
  const exif = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0', 'latin1')
  expect(seen).toEqual({ width: 300, height: 400 })
  expect(copy).toEqual(
    withSegments(
      plain,
      jpegSegment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
      jpegSegment(0xe1, 'Exif\0\0', exif),
      jpegSegment(0xe2, 'ICC_PROFILE\0\x01\x02', profile.subarray(0, 65_519)),
      jpegSegment(0xe2, 'ICC_PROFILE\0\x02\x02', profile.subarray(65_519)),
      jpegSegment(0xee, 'Adobe\0\x64\0\0\0\0\x01'),
    ),
  )
  expect(secrets.filter(secret => copy.includes(secret))).toEqual([])
})

test('a table segment is truncated to its table', async () => {
  const long = jpegSegment(0xdb, Buffer.from([0, ...Array(64).fill(1)]), 'SERIAL-4711'.slice(0, 9))
  expect((await cleaned(Buffer.concat([start, long, body.subarray(table.length), end]))).copy).toEqual(plain)
})

test('a complete picture without an end marker gets one', async () => {
  expect((await cleaned(Buffer.concat([start, body]))).copy).toEqual(plain)
  expect((await cleaned(Buffer.concat([start, body, Buffer.alloc(9)]))).copy).toEqual(plain)
  const whole = steps(scan(0, 0, 0x01), scan(0, 0, 0x10), scan(1, 63, 0x00))
  expect((await cleaned(whole)).copy).toEqual(Buffer.concat([whole, end]))
})

test('a progressive picture without its last scans and end marker is truncated', async () => {
  expect(await refusal(steps(scan(0, 0, 0x01), scan(1, 63, 0x00)))).toStartWith('media_corrupt: a JPEG that ends or breaks')
  expect(await refusal(steps(scan(0, 0, 0x00), scan(1, 5, 0x00)))).toStartWith('media_corrupt: a JPEG that ends or breaks')
})

test.each([
  ['two frame headers', Buffer.concat([start, table, frame(0xc0), body.subarray(table.length), end])],
  ['a second picture inside the first', Buffer.concat([start, table, plain])],
  ['no picture in it', Buffer.concat([start, end])],
  ['no picture in it', Buffer.concat([start, table, frame(0xc0), end])],
  ['a cut table', Buffer.concat([start, table.subarray(0, 2), Buffer.from([0, 40]), table.subarray(4, 42), end])],
  ['more than 10,000 markers', Buffer.concat([start, ...Array(10_001).fill(jpegSegment(0xfe, '')), body, end])],
])('a JPEG with %s is damaged', async (words, bytes) => {
  expect(await refusal(bytes)).toBe(`media_corrupt: a JPEG with ${words}`)
})

test.each([
  ['lossless', 0xc3],
  ['hierarchical', 0xc5],
  ['arithmetic coding', 0xc9],
])('a JPEG type that no browser shows is rejected by name: %s', async (name, kind) => {
  const rare = Buffer.concat([start, table, frame(kind), scan(0, 63, 0), end])
  expect(await refusal(rare)).toBe(`media_type_unsupported: a JPEG of a rare kind (${name})`)
})

test.each([0xc1, 0xc2])('a JPEG of 12 bits a colour is rejected by name: frame %i', async kind => {
  const deep = frame(kind)
  deep[4] = 12
  expect(await refusal(Buffer.concat([start, table, deep, scan(0, 63, 0), end]))).toBe('media_type_unsupported: a JPEG of 12 bits a colour')
})

test('the number of scans is limited', async () => {
  expect(await refusal(steps(scan(0, 0, 0), ...Array(99).fill(scan(1, 63, 0)), end))).toBe('taken')
  expect(await refusal(steps(scan(0, 0, 0), ...Array(1_000).fill(scan(1, 63, 0)), end))).toBe(
    'media_corrupt: a JPEG of more than 100 scans',
  )
})

test('fifteen million stuffed bytes don’t block the event loop', async () => {
  const stuffed = Buffer.alloc(30 << 20)
  for (let at = 0; at < stuffed.length; at += 2) stuffed[at] = 0xff
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 0)
  await cleaned(Buffer.concat([plain.subarray(0, -2), stuffed, end]))
  clearInterval(others)
  expect(turns).toBeGreaterThanOrEqual(5)
})

test('a JPEG with any cut or byte change is either copied or rejected', async () => {
  const pieces = [
    jpegSegment(0xe1, 'Exif\0\0', exifBlock(6)),
    jpegSegment(0xe2, 'ICC_PROFILE\0\x01\x01', colourProfile()),
    jpegSegment(0xee, 'Adobe'),
  ]
  const rich = withSegments(plain, ...pieces)
  for (let at = 0; at < rich.length; at += 1) {
    expect(await refusal(rich.subarray(0, at))).toMatch(outcomeForm)
    const broken = Buffer.from(rich)
    broken[at] = 0xff
    expect(await refusal(broken)).toMatch(outcomeForm)
  }
})
