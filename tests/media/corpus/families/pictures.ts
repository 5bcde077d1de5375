import { deflateSync } from 'node:zlib'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { bytes, u16, u32 } from '../build/boxes'
import { ffmpeg, made, readMade } from '../build/cached'
import { exifSegment, profileSegments, segment, tiff, withSegments, xmpPacket, xmpSegment } from '../build/jpeg'
import { chunk, makePng, type Png } from '../build/png'
import { colourProfile, hashOf } from '../build/profile'
import { type Extras, extendWebp, piece, readPieces, riff } from '../build/webp'
import { type Known, picture, type Recipe } from '../recipe'
import { jpegBase } from './pictures-of-phones'

const scannerProfile = colourProfile('EPSON  sRGB')
const largeProfile = colourProfile('A printer', { size: 180_000 })
const greyProfile = colourProfile('Dot Gain 20%', { space: 'GRAY' })

type Row = {
  family: string
  name: string
  extension: 'jpeg' | 'png' | 'webp'
  width: number
  height: number
  more?: Partial<Known>
  short?: boolean
}
const row = ({ family, name, extension, width, height, more = {}, short = false }: Row, make: () => Promise<Buffer> | Buffer): Recipe => ({
  family,
  name,
  kind: MediaKind.IMAGE,
  extension,
  short,
  known: picture(width, height, more),
  make: async () => make(),
})

/** libjpeg's own encoder makes what ffmpeg's doesn't: progressive scans, restarts, grey. */
async function cjpeg(width: number, height: number, options: string[]): Promise<Buffer> {
  const pixels = await ffmpeg('ppm', [
    '-f',
    'lavfi',
    '-i',
    `${width % 2 ? 'testsrc' : 'testsrc2'}=size=${width}x${height}`,
    '-frames:v',
    '1',
  ])
  return readMade(made('jpg', ['cjpeg', ...options, '-outfile', '{}', pixels]))
}

function scanners(): Recipe[] {
  const density = (jpeg: Buffer, dpi: number) => {
    const copy = Buffer.from(jpeg)
    copy[13] = 1
    copy.writeUInt16BE(dpi, 14)
    copy.writeUInt16BE(dpi, 16)
    return copy
  }
  const forms: Record<string, string[]> = {
    baseline: [],
    progressive: ['-progressive'],
    'baseline with restarts': ['-restart', '4B'],
    'progressive with restarts': ['-progressive', '-restart', '2'],
    optimised: ['-optimize'],
    grey: ['-grayscale'],
    'grey progressive': ['-grayscale', '-progressive'],
    '4:4:4': ['-sample', '1x1'],
    '4:2:2': ['-sample', '2x1'],
    '4:4:0': ['-sample', '1x2'],
    '4:1:1': ['-sample', '4x1'],
    'RGB without conversion': ['-rgb'],
    'two tables at quality 30': ['-quality', '30', '-qslots', '0,1'],
  }
  return [
    ...Object.entries(forms).flatMap(([name, options]) =>
      [
        [384, 288],
        [301, 259],
      ].map(([width = 0, height = 0]) =>
        row({ family: 'JPEG encoders', name: `${name}, ${width} × ${height}`, extension: 'jpeg', width, height }, () =>
          cjpeg(width, height, options),
        ),
      ),
    ),
    ...[150, 300, 600].flatMap(dpi =>
      [scannerProfile, largeProfile].map((profile, at) =>
        row(
          {
            family: 'scanner JPEG',
            name: `${dpi} dpi, ${at ? 'a printer’s profile in parts' : 'sRGB'}`,
            extension: 'jpeg',
            width: 416,
            height: 588,
            more: { profile: hashOf(profile) },
          },
          async () =>
            withSegments(density(await cjpeg(416, 588, []), dpi), [
              ...profileSegments(profile),
              exifSegment({ words: { 271: 'EPSON', 272: 'Perfection V600' } }),
              segment(0xfe, 'Scanned by EPSON Scan'),
              xmpSegment('xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="EPSON Scan"'),
            ]),
        ),
      ),
    ),
    row(
      {
        family: 'scanner JPEG',
        name: 'grey with a grey profile',
        extension: 'jpeg',
        width: 416,
        height: 588,
        more: { profile: hashOf(greyProfile) },
      },
      async () => withSegments(await cjpeg(416, 588, ['-grayscale']), profileSegments(greyProfile)),
    ),
    ...['Photoshop’s resources', 'Adobe’s transform', 'two comments', 'JFIF with a thumbnail', 'Ducky', 'FlashPix', 'IPTC', 'C2PA'].map(
      (name, at) =>
        row({ family: 'JPEG of editors', name, extension: 'jpeg', width: 384, height: 288, short: at === 0 }, async () => {
          const resources = segment(
            0xed,
            'Photoshop 3.0\0',
            '8BIM',
            u16(0x0404),
            u16(0),
            u32(20),
            Buffer.alloc(20, 28),
            '8BIM',
            u16(0x040c),
            u16(0),
            u32(40),
            Buffer.alloc(40, 1),
          )
          const own = [
            [resources],
            [segment(0xee, 'Adobe', u16(100), u16(0x8000), u16(0), [1])],
            [segment(0xfe, 'one'), segment(0xfe, 'two')],
            [segment(0xe0, 'JFXX\0', [0x13, 2, 2], Buffer.alloc(12, 9))],
            [segment(0xec, 'Ducky', Buffer.from('000100040000003c0000', 'hex'))],
            [segment(0xe2, 'FPXR\0', Buffer.alloc(60))],
            [resources, xmpSegment('xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Berlin"')],
            [segment(0xeb, 'JP', u16(1), u32(1), u32(60), 'jumb', Buffer.alloc(52, 5))],
          ][at]
          return withSegments(await jpegBase(), own ?? [], name === 'Adobe’s transform')
        }),
    ),
    row({ family: 'JPEG of editors', name: 'fill bytes before markers', extension: 'jpeg', width: 384, height: 288 }, async () => {
      const jpeg = await jpegBase()
      return bytes(jpeg.subarray(0, 2), [0xff, 0xff], jpeg.subarray(2))
    }),
  ]
}

function pngs(): Recipe[] {
  const forms: [Png['colour'], number[]][] = [
    [0, [1, 2, 4, 8, 16]],
    [2, [8, 16]],
    [3, [1, 2, 4, 8]],
    [4, [8, 16]],
    [6, [8, 16]],
  ]
  const profile = colourProfile('sRGB IEC61966-2.1')
  const big = colourProfile('A wide display', { size: 600_000 })
  const iccp = (data: Buffer) => chunk('iCCP', 'ICC profile\0\0', deflateSync(data))
  const plain: Png = { width: 384, height: 288, colour: 2, depth: 8 }
  const xmp = (size: number) =>
    chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', Buffer.from(xmpPacket(`xmlns:a="http://a.example/" a:text="${'x'.repeat(size)}"`)))
  const extras: [string, Partial<Png>, Partial<Known>?][] = [
    [
      'macOS screenshot',
      {
        colour: 6,
        before: [
          iccp(profile),
          chunk('eXIf', tiff({ words: { 305: 'macOS' } })),
          chunk('pHYs', u32(5669), u32(5669), [1]),
          xmp(200),
          chunk('iDOT', Buffer.alloc(28)),
        ],
      },
      { profile: hashOf(profile) },
    ],
    [
      'Windows screenshot',
      { colour: 6, before: [chunk('sRGB', [0]), chunk('gAMA', u32(45_455)), chunk('pHYs', u32(3780), u32(3780), [1])] },
    ],
    ['Android screenshot', { colour: 6, before: [chunk('sBIT', [8, 8, 8, 8]), chunk('sRGB', [0])] }],
    [
      'iPhone screenshot',
      { colour: 2, depth: 16, before: [iccp(profile), chunk('eXIf', tiff({ words: { 271: 'Apple' } })), xmp(900)] },
      { profile: hashOf(profile) },
    ],
    [
      'Photoshop',
      {
        before: [
          chunk('pHYs', u32(2835), u32(2835), [1]),
          iccp(profile),
          chunk('cHRM', ...[31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].map(u32)),
          xmp(20_000),
        ],
      },
      { profile: hashOf(profile) },
    ],
    ['1.2 MB of XMP', { before: [xmp(1_200_000)] }],
    [
      'texts',
      {
        before: [
          chunk('tEXt', 'Software\0ImageMagick'),
          chunk('zTXt', 'Comment\0\0', deflateSync(Buffer.from('hello'.repeat(200)))),
          chunk('tIME', Buffer.from('07ea0402100b0c', 'hex')),
        ],
        after: [chunk('tEXt', 'date:create\x002026-04-02')],
      },
    ],
    ['a profile of 600 KB', { before: [iccp(big)] }, { profile: hashOf(big) }],
    [
      'GIMP',
      {
        before: [
          chunk('bKGD', u16(255), u16(255), u16(255)),
          chunk('pHYs', u32(11_811), u32(11_811), [1]),
          chunk('oFFs', u32(1), u32(1), [0]),
        ],
      },
    ],
    ['Fireworks', { before: [chunk('prVW', Buffer.alloc(900)), chunk('mkBF', Buffer.alloc(72)), chunk('mkTS', Buffer.alloc(500))] }],
    ['an exposure histogram', { colour: 3, depth: 4, before: [], after: [] }],
    [
      'a scanner at 600 dpi',
      { colour: 0, before: [chunk('pHYs', u32(23_622), u32(23_622), [1]), iccp(greyProfile)] },
      { profile: hashOf(greyProfile) },
    ],
    ['see-through colour', { colour: 2, before: [chunk('tRNS', u16(1), u16(2), u16(3))] }],
    ['one IDAT', { idatBytes: 10_000_000 }],
    ['IDAT of 100 bytes', { idatBytes: 100 }],
    ['cICP', { before: [chunk('cICP', [12, 13, 0, 1])] }],
  ]
  const tails: Record<string, Buffer> = {
    'a newline': Buffer.from('\n'),
    'CR and LF': Buffer.from('\r\n'),
    '16 zeros': Buffer.alloc(16),
    '4,096 zeros': Buffer.alloc(4_096),
    'some words': Buffer.from('exported 2026-04-02'),
  }
  return [
    ...forms.flatMap(([colour, depths]) =>
      depths.flatMap(depth =>
        [false, true].map(interlaced =>
          row(
            {
              family: 'PNG forms',
              name: `colour ${colour}, ${depth} bit${interlaced ? ', interlaced' : ''}`,
              extension: 'png',
              width: 303,
              height: 257,
              short: colour === 3 && depth === 4 && interlaced,
            },
            () => makePng({ width: 303, height: 257, colour, depth, interlaced, filter: depth >= 8 ? 1 : 0 }),
          ),
        ),
      ),
    ),
    ...extras.map(([name, extra, more = {}]) =>
      row({ family: 'PNG of systems', name, extension: 'png', width: 384, height: 288, more, short: name === '1.2 MB of XMP' }, () =>
        makePng({ ...plain, ...extra }),
      ),
    ),
    ...Object.entries(tails).map(([name, tail]) =>
      row({ family: 'behind a PNG', name, extension: 'png', width: 384, height: 288, short: name === 'a newline' }, () =>
        bytes(makePng(plain), tail),
      ),
    ),
  ]
}

function webps(): Recipe[] {
  const profile = colourProfile('Display P3')
  const make = (source: string, options: string[]) =>
    readMade(ffmpeg('webp', ['-f', 'lavfi', '-i', source, '-frames:v', '1', '-c:v', 'libwebp', ...options]))
  const see = 'format=rgba,geq=r=X:g=Y:b=128:a=X/2'
  const forms: [string, string, string[]][] = [
    ['lossy', 'testsrc2=size=384x288', ['-quality', '75']],
    ['lossless', 'testsrc2=size=384x288', ['-lossless', '1', '-pix_fmt', 'bgra']],
    ['one colour', 'color=red:size=384x288', ['-quality', '75']],
    ['one colour, lossless', 'color=blue:size=384x288', ['-lossless', '1', '-pix_fmt', 'bgra']],
    ['alpha', `testsrc2=size=384x288,${see}`, ['-quality', '70', '-pix_fmt', 'yuva420p']],
    ['alpha, lossless', `testsrc2=size=384x288,${see}`, ['-lossless', '1', '-pix_fmt', 'bgra']],
    ['quality 0', 'testsrc2=size=384x288', ['-quality', '0']],
    ['quality 100', 'testsrc2=size=384x288', ['-quality', '100', '-preset', 'photo']],
  ]
  const extras: [string, Extras][] = [
    ['bare', {}],
    ['a profile', { profile }],
    ['EXIF', { exif: tiff({ littleEndian: true, words: { 271: 'Google' }, gps: true }) }],
    ['XMP', { xmp: xmpPacket('xmlns:a="http://a.example/" a:b="c"') }],
    ['all three', { profile, exif: tiff({ words: { 271: 'Google' } }), xmp: xmpPacket('xmlns:a="http://a.example/" a:b="c"') }],
    ['an unknown chunk', { xmp: xmpPacket('xmlns:a="http://a.example/" a:b="c"'), unknown: [piece('abcd', Buffer.alloc(33))] }],
  ]
  return [
    ...forms.flatMap(([name, source, options]) =>
      extras.map(([with_, extra]) =>
        row(
          {
            family: 'WebP',
            name: `${name}, ${with_}`,
            extension: 'webp',
            width: 384,
            height: 288,
            more: extra.profile ? { profile: hashOf(profile) } : {},
            short: with_ === 'all three' && (name === 'one colour' || name === 'alpha'),
          },
          async () => {
            const file = await make(source, options)
            return with_ === 'bare' ? file : extendWebp(file, 384, 288, extra)
          },
        ),
      ),
    ),
    ...['one zero', 'a newline'].map((name, at) =>
      row({ family: 'behind a WebP', name, extension: 'webp', width: 384, height: 288, short: at === 0 }, async () =>
        bytes(await make('testsrc2=size=384x288', ['-quality', '75']), at ? '\n' : [0]),
      ),
    ),
    row({ family: 'WebP', name: 'an odd chunk without its padding at the end', extension: 'webp', width: 384, height: 288 }, async () => {
      const file = await make('testsrc2=size=384x288', ['-quality', '75'])
      return riff('WEBP', ...readPieces(file).map(({ type, data }) => piece(type, data)))
    }),
  ]
}

export const pictures = () => [...scanners(), ...pngs(), ...webps()]
