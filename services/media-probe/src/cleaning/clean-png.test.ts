import { expect, test } from 'bun:test'
import { deflateSync, inflateSync } from 'node:zlib'
import {
  colourProfile,
  exifBlock,
  outcomeForm,
  outcomeOf,
  pngChunk,
  pngChunks,
  pngHeader,
  pngOf,
  secrets,
  withChunks,
} from '../testing/pictures'
import { cleanPng } from './clean-png'
import type { Size } from './picture/picture'

const [width, height] = [300, 260]
const rows = Buffer.alloc(height * (1 + width * 3), 1)
const pixels = deflateSync(rows)
const header = pngHeader(width, height, 8, 2)
const plain = pngOf(header, pngChunk('IDAT', pixels))
const options = (checkDisplaySize: (seen: Size) => void = () => undefined) => ({ checkDisplaySize, signal: new AbortController().signal })
const copyOf = async (bytes: Buffer) => Buffer.concat((await cleanPng(bytes, options())).buffers)
const refusal = (bytes: Buffer) => outcomeOf(copyOf(bytes))

test('a plain PNG is copied unchanged, however its pixels are split', async () => {
  expect(await copyOf(plain)).toEqual(plain)
  const pieces = Array.from({ length: pixels.length }, (_, at) => pngChunk('IDAT', pixels.subarray(at, at + 1)))
  expect(await copyOf(pngOf(header, ...pieces, pngChunk('tIME', 'behind.')))).toEqual(plain)
})

test.each(
  Object.entries({
    'a newline': '\n',
    'padding of zeros': '\0'.repeat(4_096),
    'an archive': 'PK\x05\x06SECOND-PICTURE',
    'a page': '<html>SECOND-PICTURE',
    'a second PNG': plain.toString('latin1'),
  }),
)('bytes after a PNG are not copied: %s', async (_, trailer) => {
  expect(await copyOf(Buffer.concat([plain, Buffer.from(trailer, 'latin1')]))).toEqual(plain)
})

test('a PNG that ends after its last pixels is complete', async () => {
  expect(await copyOf(plain.subarray(0, -12))).toEqual(plain)
  expect(await copyOf(plain.subarray(0, -3))).toEqual(plain)
  expect(await copyOf(Buffer.concat([plain.subarray(0, -1), Buffer.alloc(1)]))).toEqual(plain)
})

test('only orientation and colour of the other chunks are copied', async () => {
  const profile = colourProfile()
  const problem = secrets.join('\0')
  let seen: Size | undefined
  const rich = withChunks(
    pngOf(header, pngChunk('IDAT', Buffer.concat([pixels, Buffer.from('SECOND-PICTURE')])), pngChunk('tEXt', problem)),
    pngChunk('tEXt', problem),
    pngChunk('zTXt', Buffer.concat([Buffer.from('c\0\0'), deflateSync(Buffer.from(problem))])),
    pngChunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${problem}`),
    pngChunk('tIME', '\x07\xea\x01\x01\0\0\0'),
    pngChunk('gAMA', '\0\0\xb1\x8f'),
    pngChunk('sRGB', '\0'),
    pngChunk('sRGB', '\x01'),
    pngChunk('cHRM', 'too short'),
    pngChunk('iCCP', Buffer.concat([Buffer.from('Jane Doe\0\0'), deflateSync(Buffer.concat([profile, Buffer.from('SERIAL-4711')]))])),
    pngChunk('eXIf', exifBlock(8, 'II')),
    pngChunk('caBX', problem),
  )
  const copy = Buffer.concat(
    (
      await cleanPng(
        rich,
        options(size => (seen = size)),
      )
    ).buffers,
  )
  expect(seen).toEqual({ width: height, height: width })
  expect(pngChunks(copy).map(({ type }) => type)).toEqual(['IHDR', 'gAMA', 'iCCP', 'eXIf', 'IDAT', 'IEND'])
  const data = (type: string) => pngChunks(copy).find(chunk => chunk.type === type)?.data ?? Buffer.alloc(0)
  expect(data('iCCP').subarray(0, 5)).toEqual(Buffer.from('icc\0\0'))
  expect(Buffer.compare(inflateSync(data('iCCP').subarray(5)), profile)).toBe(0)
  expect(data('eXIf')).toEqual(Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0\0\0\0\0', 'latin1'))
  expect(data('IDAT')).toEqual(pixels)
  expect(secrets.filter(secret => copy.includes(secret))).toEqual([])
})

test('without a profile, the other colour chunks are copied', async () => {
  const colours = [
    pngChunk('cICP', '\x0c\x0d\0\x01'),
    pngChunk('sRGB', '\0'),
    pngChunk('gAMA', '\0\0\xb1\x8f'),
    pngChunk('cHRM', 'c'.repeat(32)),
  ]
  expect(await copyOf(withChunks(plain, ...colours, pngChunk('iCCP', 'p\0\0no profile')))).toEqual(withChunks(plain, ...colours))
})

test('a palette with transparency is copied; an interlaced picture is checked in seven passes', async () => {
  const colours = pngChunk('PLTE', Buffer.alloc(6, 9))
  const clear = pngChunk('tRNS', Buffer.from([0, 255]))
  const interlaced = (total: number) => pngChunk('IDAT', deflateSync(Buffer.alloc(total)))
  // 5 × 3 pixels of one bit: the third pass has no row, and each row has a byte for its filter.
  const small = (total: number) => pngOf(pngHeader(5, 3, 1, 3, 1), colours, clear, interlaced(total))
  const passes = [1, 1, 0, 1, 1, 2, 1].reduce((sum, rowsOfPass) => sum + rowsOfPass * 2, 0)
  expect(await copyOf(small(passes))).toEqual(small(passes))
  expect(await refusal(small(passes - 1))).toBe('media_corrupt: a PNG with fewer pixels than its header says')
  expect(await refusal(small(passes + 1))).toBe('media_corrupt: a PNG with more pixels than its header says')
})

test.each([
  [
    'half its rows',
    pngOf(header, pngChunk('IDAT', deflateSync(rows.subarray(0, rows.length / 2)))),
    'with fewer pixels than its header says',
  ],
  ['a byte missing', pngOf(header, pngChunk('IDAT', deflateSync(rows.subarray(1)))), 'with fewer pixels than its header says'],
  [
    'a byte too many',
    pngOf(header, pngChunk('IDAT', deflateSync(Buffer.concat([rows, Buffer.alloc(1)])))),
    'with more pixels than its header says',
  ],
  ['a cut stream', pngOf(header, pngChunk('IDAT', pixels.subarray(0, -6))), 'whose pixels are cut or damaged'],
  ['a stream without its last byte', pngOf(header, pngChunk('IDAT', pixels.subarray(0, -1))), 'whose pixels are cut or damaged'],
  [
    'a filter that does not exist',
    pngOf(header, pngChunk('IDAT', deflateSync(Buffer.alloc(rows.length, 7)))),
    'whose pixels are cut or damaged',
  ],
  ['no pixels', pngOf(header), 'without pixels'],
  ['a cut', plain.subarray(0, 60), 'that ends at byte 60'],
  ['a wrong sum', Buffer.concat([plain.subarray(0, 50), Buffer.from([0xee]), plain.subarray(51)]), 'with a wrong checksum at byte 33'],
  ['no palette', pngOf(pngHeader(8, 8, 8, 3), pngChunk('IDAT', pixels)), 'without a palette'],
  ['a kind of colour that does not exist', pngOf(pngHeader(8, 8, 8, 5), pngChunk('IDAT', pixels)), 'with a broken header'],
  ['two headers', withChunks(plain, header), 'without one header at its start'],
])('a PNG with %s is rejected', async (_, bytes, problem) => {
  expect(await refusal(bytes)).toBe(`media_corrupt: a PNG ${problem}`)
})

test('an animated PNG is rejected after any number of chunks', async () => {
  const many = Array.from({ length: 20_000 }, () => pngChunk('tEXt', 'c'))
  const animation = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))
  expect(await refusal(withChunks(plain, ...many, animation))).toBe('media_type_unsupported: an animated PNG')
  expect(await copyOf(withChunks(plain, pngChunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))))).toEqual(plain)
})

/** 256 MiB in a deflate stream of a thousandth of that size. */
const bomb = deflateSync(Buffer.alloc(1 << 28), { level: 1 })
/** The time that this machine takes for one of them. */
const bombMs = () => timeOf(async () => inflateSync(bomb))

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

test('texts are never inflated, and profiles only up to their limit', async () => {
  const texts = Array.from({ length: 10 }, () => pngChunk('zTXt', Buffer.concat([Buffer.from('c\0\0'), bomb])))
  const profiles = Array.from({ length: 10 }, () => pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), bomb])))
  const stuffed = withChunks(plain, ...texts, ...profiles)
  const took = await timeOf(async () => expect(await copyOf(stuffed)).toEqual(plain))
  expect(took).toBeLessThan(3 * (await bombMs()))
})

test('pixels are inflated to one byte more than the header says at most', async () => {
  const bombs = pngOf(header, ...Array.from({ length: 10 }, () => pngChunk('IDAT', bomb)))
  const took = await timeOf(async () => expect(await refusal(bombs)).toBe('media_corrupt: a PNG with more pixels than its header says'))
  expect(took).toBeLessThan(await bombMs())
})

test('a size outside the limits is rejected before inflating', async () => {
  const checkDisplaySize = ({ width: seen }: Size) => {
    throw new Error(`${seen} is too wide`)
  }
  const broken = pngOf(pngHeader(30_000, 30_000, 8, 2), pngChunk('IDAT', 'no pixels'))
  expect(cleanPng(broken, options(checkDisplaySize))).rejects.toThrow('30000 is too wide')
})

test('an aborted task stops inflating', async () => {
  const controller = new AbortController()
  const large = pngOf(pngHeader(30_000, 30_000, 8, 2), pngChunk('IDAT', bomb))
  const cleaning = cleanPng(large, { checkDisplaySize: () => undefined, signal: controller.signal })
  setTimeout(() => controller.abort(new Error('out of time')), 5)
  expect(cleaning).rejects.toThrow('out of time')
})

test('a PNG with any cut or byte change is either copied or rejected', async () => {
  const rich = withChunks(
    plain,
    pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(colourProfile())])),
    pngChunk('eXIf', exifBlock(6)),
  )
  for (let at = 0; at < rich.length; at += 1) {
    expect(await refusal(rich.subarray(0, at))).toMatch(outcomeForm)
    const broken = Buffer.from(rich)
    broken[at] = 0xff
    expect(await refusal(broken)).toMatch(outcomeForm)
  }
})
