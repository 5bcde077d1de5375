import { deflateSync } from 'node:zlib'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { bytes, rawBox, u16, u32 } from '../corpus/build/boxes'
import { ffmpeg, readMade } from '../corpus/build/cached'
import { exifSegment, extendedXmp, segment, tiff, withPictures, withSegments, xmpPacket, xmpSegment } from '../corpus/build/jpeg'
import { chunk, makePng } from '../corpus/build/png'
import { extendWebp, piece } from '../corpus/build/webp'
import { jpegBase, samsungTrailer } from '../corpus/families/pictures-of-phones'
import { type Extension, picture } from '../corpus/recipe'
import { marker } from './markers'
import type { Planted } from './planted'

const [width, height] = [384, 288]

function planted(extension: Extension, name: string, make: (words: string) => Promise<Buffer> | Buffer, orientation = 1): Planted {
  const words = marker(`${extension} ${name}`)
  const turned = orientation > 4
  return {
    words: [words],
    recipe: {
      family: `metadata of ${extension}`,
      name,
      kind: MediaKind.IMAGE,
      extension,
      known: picture(turned ? height : width, turned ? width : height, { orientation }),
      make: async () => make(words),
    },
  }
}

const marked = async (words: string) => withSegments(await jpegBase(160, 120), [segment(0xfe, words)])

function inJpeg(): Planted[] {
  const put = (name: string, segments: (words: string) => Buffer[], orientation = 1) =>
    planted('jpeg', name, async words => withSegments(await jpegBase(width, height), segments(words)), orientation)
  const tags: [string, number][] = [
    ['description', 0x10e],
    ['maker', 0x10f],
    ['model', 0x110],
    ['software', 0x131],
    ['date', 0x132],
    ['artist', 0x13b],
    ['host computer', 0x13c],
    ['copyright', 0x8298],
    ['owner', 0xa430],
    ['body serial number', 0xa431],
    ['lens', 0xa434],
    ['lens serial number', 0xa435],
    ['comment of Windows', 0x9c9c],
  ]
  return [
    ...tags.map(([name, tag], at) =>
      put(
        `EXIF ${name}`,
        words => [exifSegment({ orientation: at % 2 ? 6 : 1, littleEndian: at % 3 === 0, words: { [tag]: words }, gps: true })],
        at % 2 ? 6 : 1,
      ),
    ),
    put('a maker’s note', words => [exifSegment({ makerNote: bytes('Apple iOS\0\0\x01MM', words), orientation: 8 })], 8),
    planted('jpeg', 'a thumbnail', async words =>
      withSegments(await jpegBase(width, height), [exifSegment({ thumbnail: await marked(words) })]),
    ),
    put('XMP', words => [xmpSegment(`xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${words}"`)]),
    put('XMP in parts', words => [...extendedXmp(200_000), segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', words)]),
    put('IPTC', words => [
      segment(0xed, 'Photoshop 3.0\0', '8BIM', u16(0x0404), u16(0), u32(words.length + 5), [0x1c, 2, 0x5a], u16(words.length), words),
    ]),
    put('a comment', words => [segment(0xfe, words)]),
    put('C2PA', words => [segment(0xeb, 'JP', u16(1), u32(1), u32(60), 'jumb', words)]),
    put('JFXX', words => [segment(0xe0, 'JFXX\0', [0x10], words)]),
    put('behind the Adobe marker', words => [segment(0xee, 'Adobe', u16(100), u16(0), u16(0), [1], words)]),
    put('a private segment', words => [segment(0xef, words), segment(0xe5, 'Samsung', words)]),
    put('FlashPix', words => [segment(0xe2, 'FPXR\0', words)]),
    put('a second EXIF', words => [exifSegment({ orientation: 6 }), exifSegment({ words: { 315: words } })], 6),
    planted('jpeg', 'a comment between the tables', async words => {
      const jpeg = await jpegBase(width, height)
      const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
      return bytes(jpeg.subarray(0, frame), segment(0xfe, words), jpeg.subarray(frame))
    }),
    planted('jpeg', 'another picture’s EXIF', async words => withPictures(await jpegBase(width, height), [], [await marked(words)])),
    planted('jpeg', 'Samsung’s trailer', async words =>
      bytes(await jpegBase(width, height), samsungTrailer({ MCC_Data: Buffer.from(words) })),
    ),
    planted('jpeg', 'a film behind', async words =>
      bytes(await jpegBase(width, height), rawBox('ftyp', 'mp42', u32(0)), rawBox('udta', words)),
    ),
    planted('jpeg', 'words behind', async words => bytes(await jpegBase(width, height), words)),
  ]
}

function inPng(): Planted[] {
  const put = (name: string, before: (words: string) => Buffer[], after: (words: string) => Buffer[] = () => []) =>
    planted('png', name, words => makePng({ width, height, colour: 2, depth: 8, before: before(words), after: after(words) }))
  return [
    put('tEXt', words => [chunk('tEXt', `Author\0${words}`)]),
    put('zTXt', words => [chunk('zTXt', 'Comment\0\0', deflateSync(Buffer.from(words)))]),
    put('iTXt', words => [chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', xmpPacket(`dc="${words}"`))]),
    put('a packed iTXt', words => [chunk('iTXt', 'Author\0\x01\0\0\0', deflateSync(Buffer.from(words)))]),
    put('eXIf', words => [chunk('eXIf', tiff({ words: { 315: words }, gps: true }))]),
    put('EXIF as text', words => [
      chunk('tEXt', `Raw profile type exif\0\nexif\n  20\n${Buffer.from(words).toString('hex')}`),
      chunk('tEXt', `a\0${words}`),
    ]),
    put('a private chunk', words => [chunk('prVt', words)]),
    put(
      'tIME and words behind the pixels',
      () => [chunk('tIME', Buffer.from('07e308070605 04'.replace(' ', ''), 'hex').subarray(0, 7))],
      words => [chunk('tEXt', `Date\0${words}`)],
    ),
    put('a suggested palette', words => [chunk('sPLT', `${words}\0`, [8], Buffer.alloc(6))]),
    put('C2PA', words => [chunk('caBX', words)]),
    planted('png', 'behind its end', words => bytes(makePng({ width, height, colour: 2, depth: 8 }), words)),
    planted('png', 'a chunk behind its end', words => bytes(makePng({ width, height, colour: 2, depth: 8 }), chunk('tEXt', `a\0${words}`))),
  ]
}

function inWebp(): Planted[] {
  const base = () =>
    readMade(ffmpeg('webp', ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}`, '-frames:v', '1', '-c:v', 'libwebp']))
  return [
    planted('webp', 'EXIF', async words => extendWebp(await base(), width, height, { exif: tiff({ words: { 315: words }, gps: true }) })),
    planted('webp', 'XMP', async words => extendWebp(await base(), width, height, { xmp: xmpPacket(`dc="${words}"`) })),
    planted('webp', 'an unknown chunk', async words =>
      extendWebp(await base(), width, height, { unknown: [piece('abcd', Buffer.from(words))] }),
    ),
    planted('webp', 'a C2PA chunk', async words =>
      extendWebp(await base(), width, height, { unknown: [piece('C2PA', Buffer.from(words))] }),
    ),
    planted('webp', 'behind its end', async words => bytes(await base(), words)),
  ]
}

export const plantedPictures = () => [...inJpeg(), ...inPng(), ...inWebp()]
