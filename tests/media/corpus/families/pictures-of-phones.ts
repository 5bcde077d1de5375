import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { bytes, rawBox, u16, u32 } from '../build/boxes'
import { ffmpeg, readMade } from '../build/cached'
import { type Exif, exifSegment, extendedXmp, profileSegments, segment, withPictures, withSegments, xmpSegment } from '../build/jpeg'
import { colourProfile, hashOf } from '../build/profile'
import { type Known, picture, type Recipe } from '../recipe'

const quarterTurned = [5, 6, 7, 8]
export const jpegBase = (width = 384, height = 288, sampling = 'yuvj420p') =>
  readMade(ffmpeg('jpg', ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}`, '-frames:v', '1', '-pix_fmt', sampling, '-q:v', '4']))
const thumbnail = () => jpegBase(160, 120)
export const smallMovie = () =>
  readMade(
    ffmpeg('mp4', [
      '-f',
      'lavfi',
      '-t',
      '1',
      '-i',
      'testsrc2=size=128x128:rate=15',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
    ]),
  )
const displayP3 = colourProfile('Display P3')

type Photo = {
  width?: number
  height?: number
  sampling?: string
  exif?: Exif
  preview?: boolean
  profile?: Buffer
  segments?: Buffer[]
  bare?: boolean
  behind?: (jpeg: Buffer) => Promise<Buffer> | Buffer
}

function photo(
  family: string,
  name: string,
  { width = 384, height = 288, sampling = 'yuvj420p', exif, preview, profile, segments = [], bare = true, behind }: Photo,
  more: Partial<Known> = {},
  short = false,
): Recipe {
  const orientation = exif?.orientation ?? 1
  const turned = quarterTurned.includes(orientation)
  return {
    family,
    name,
    kind: MediaKind.IMAGE,
    extension: 'jpeg',
    short,
    known: picture(turned ? height : width, turned ? width : height, { orientation, profile: profile && hashOf(profile), ...more }),
    async make() {
      const head = exif ? [exifSegment(preview ? { ...exif, thumbnail: await thumbnail() } : exif)] : []
      const jpeg = withSegments(
        await jpegBase(width, height, sampling),
        [...head, ...segments, ...(profile ? profileSegments(profile) : [])],
        bare,
      )
      return behind ? behind(jpeg) : jpeg
    },
  }
}

const samsung: Exif = { littleEndian: true, words: { 271: 'samsung', 272: 'SM-S918B', 305: 'S918BXXU3BWK5' }, gps: true }
const apple: Exif = {
  words: { 271: 'Apple', 272: 'iPhone 15 Pro', 305: '17.4.1' },
  gps: true,
  makerNote: bytes('Apple iOS\0\0\x01MM', Buffer.alloc(300, 3)),
}

/** Samsung's trailer: blocks of data and a directory that is read from the end of the file. */
export function samsungTrailer(blocks: Record<string, Buffer>): Buffer {
  const le32 = (value: number) => u32(value).reverse()
  const datas = Object.entries(blocks).map(([name, data]) => bytes(u16(0), Buffer.from([1, 0x0a]), le32(name.length), name, data))
  let distance = datas.reduce((sum, { length }) => sum + length, 0)
  const rows = datas.map(data => {
    const row = bytes(u16(0), Buffer.from([1, 0x0a]), le32(distance), le32(data.length))
    distance -= data.length
    return row
  })
  const directory = bytes('SEFH', le32(107), le32(rows.length), ...rows)
  return bytes(...datas, directory, le32(directory.length), 'SEFT')
}

const utc = { Image_UTC_Data: Buffer.from('1775117472000') }

function galaxies(): Recipe[] {
  return [
    ...[1, 3, 6, 8].flatMap(orientation =>
      ['yuvj420p', 'yuvj422p'].map(sampling =>
        photo(
          'Galaxy photo',
          `orientation ${orientation}, ${sampling}, SEF trailer`,
          { exif: { ...samsung, orientation }, sampling, preview: true, behind: jpeg => bytes(jpeg, samsungTrailer(utc)) },
          {},
          orientation === 6 && sampling === 'yuvj420p',
        ),
      ),
    ),
    ...[1, 6].map(orientation =>
      photo(
        'Galaxy motion photo',
        `orientation ${orientation}`,
        {
          exif: { ...samsung, orientation },
          behind: async jpeg => bytes(jpeg, samsungTrailer({ ...utc, MotionPhoto_Data: bytes('mpv2', await smallMovie()) })),
        },
        {},
        orientation === 6,
      ),
    ),
    ...['MCC_Data', 'Camera_Capture_Mode_Info', 'PhotoEditor_Re_Edit_Data', 'Remaster_Info', 'DualShot_DepthMap_1'].map(block =>
      photo('Galaxy photo', `with ${block}`, {
        exif: samsung,
        behind: jpeg => bytes(jpeg, samsungTrailer({ ...utc, [block]: Buffer.alloc(5_000, 0x41) })),
      }),
    ),
  ]
}

function googles(): Recipe[] {
  const motion = (movieBytes: number) =>
    xmpSegment(
      `xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MicroVideoOffset="${movieBytes}"`,
    )
  const pixel: Exif = { littleEndian: true, words: { 271: 'Google', 272: 'Pixel 8 Pro' }, gps: true }
  return [
    ...[1, 3, 6, 8].flatMap(orientation =>
      ['at once', 'behind zeros'].map(form =>
        photo(
          'Pixel motion photo',
          `orientation ${orientation}, its film ${form}`,
          {
            exif: { ...pixel, orientation },
            segments: [motion(9_000)],
            profile: displayP3,
            behind: async jpeg => bytes(jpeg, Buffer.alloc(form === 'at once' ? 0 : 64), await smallMovie()),
          },
          {},
          orientation === 6 && form === 'at once',
        ),
      ),
    ),
    ...[1, 6].map(orientation =>
      photo(
        'Ultra HDR',
        `orientation ${orientation}, gain map behind`,
        {
          exif: { ...pixel, orientation },
          behind: async jpeg =>
            withPictures(
              jpeg,
              [xmpSegment('xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"')],
              [await jpegBase(96, 72, 'yuvj444p')],
            ),
        },
        {},
        orientation === 6,
      ),
    ),
    ...[1, 6].map(orientation =>
      photo('Ultra HDR', `with a film, orientation ${orientation}`, {
        exif: { ...pixel, orientation },
        behind: async jpeg => bytes(withPictures(jpeg, [motion(9_000)], [await jpegBase(96, 72)]), await smallMovie()),
      }),
    ),
  ]
}

function iphones(): Recipe[] {
  return [
    ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap(orientation =>
      ['yuvj420p', 'yuvj444p'].map(sampling =>
        photo(
          'iPhone photo',
          `orientation ${orientation}, ${sampling}, Display P3`,
          { exif: { ...apple, orientation }, sampling, preview: orientation % 2 === 0, profile: displayP3 },
          {},
          orientation === 6 && sampling === 'yuvj420p',
        ),
      ),
    ),
    ...[1, 6].map(orientation =>
      photo('iPhone photo', `MPF with its gain map, orientation ${orientation}`, {
        exif: { ...apple, orientation },
        profile: displayP3,
        behind: async jpeg => withPictures(jpeg, [], [await jpegBase(192, 144)]),
      }),
    ),
  ]
}

function others(): Recipe[] {
  const cameras: Record<string, Exif> = {
    'Canon EOS R6': { littleEndian: true, words: { 271: 'Canon', 272: 'Canon EOS R6' }, makerNote: Buffer.alloc(4_000, 9) },
    'NIKON Z 6': {
      words: { 271: 'NIKON CORPORATION', 272: 'NIKON Z 6' },
      makerNote: bytes('Nikon\0\x02\x11\0\0MM\0*', Buffer.alloc(2_000)),
    },
    'SONY ILCE-7M4': {
      littleEndian: true,
      words: { 271: 'SONY', 272: 'ILCE-7M4' },
      makerNote: bytes('SONY DSC \0\0\0', Buffer.alloc(30_000, 2)),
    },
    'DMC-GH5': { littleEndian: true, words: { 271: 'Panasonic', 272: 'DC-GH5' }, makerNote: bytes('Panasonic\0\0\0', Buffer.alloc(1_000)) },
    'FUJIFILM X-T4': {
      littleEndian: true,
      words: { 271: 'FUJIFILM', 272: 'X-T4' },
      makerNote: bytes('FUJIFILM\x0c\0\0\0', Buffer.alloc(500)),
    },
    'DJI Mavic': { littleEndian: true, words: { 271: 'DJI', 272: 'FC3582' }, gps: true },
    'GoPro HERO9': { words: { 271: 'GoPro', 272: 'HERO9 Black' }, gps: true },
  }
  const trailers: Record<string, () => Buffer> = {
    'a newline': () => Buffer.from('\n'),
    'CR and LF': () => Buffer.from('\r\n'),
    'one zero': () => Buffer.alloc(1),
    '512 zeros': () => Buffer.alloc(512),
    '64 KiB of zeros': () => Buffer.alloc(65_536),
    '4,096 bytes of 0xFF': () => Buffer.alloc(4_096, 0xff),
    '67 bytes of something': () => Buffer.alloc(67, 'Xk7'),
    'HTC’s trailer': () => bytes(Buffer.alloc(300, 0x48), 'HTCCAMERA1'),
    'LG’s trailer': () => bytes('LGE_CAM', Buffer.alloc(400, 1)),
    'Huawei’s trailer': () => bytes('HUAWEI0000000', Buffer.alloc(256, 8), 'DepthP'),
    'Vivo’s trailer': () => bytes('streamdata', '{"a":1}', 'vivo{"c":2}'),
    'OnePlus’ trailer': () => bytes(Buffer.alloc(64, 2), 'jxrs\0\0\0'),
    'a second end marker': () => Buffer.from('ffd9', 'hex'),
    'a film of HTC': () => rawBox('free', Buffer.alloc(40)),
    'Google’s spare bytes': () => bytes(u32(0), u32(7), Buffer.alloc(9, 6)),
  }
  return [
    ...Object.entries(cameras).flatMap(([name, exif]) =>
      ['no preview', 'a preview behind', 'two previews behind a gap'].map((form, at) =>
        photo(
          'camera photo',
          `${name}, ${form}`,
          {
            exif,
            preview: true,
            sampling: 'yuvj422p',
            behind: async jpeg => (at ? withPictures(jpeg, [], Array(at).fill(await jpegBase(192, 144)), at === 2 ? 512 : 0) : jpeg),
          },
          {},
          name === 'SONY ILCE-7M4' && at === 1,
        ),
      ),
    ),
    ...Object.entries(trailers).flatMap(([name, trailer]) =>
      [1, 6].map(orientation =>
        photo(
          'behind a JPEG',
          `${name}, orientation ${orientation}`,
          { exif: { ...samsung, orientation }, behind: jpeg => bytes(jpeg, trailer()) },
          {},
          name === '67 bytes of something' && orientation === 6,
        ),
      ),
    ),
    ...[65_000, 300_000, 1_200_000, 3_000_000].map(size =>
      photo('large XMP', `${size} bytes`, { exif: apple, segments: extendedXmp(size) }, {}, size === 1_200_000),
    ),
    ...[1, 2, 3, 4].map(count =>
      photo('messengers’ photos', `stripped, form ${count}`, {
        width: 256 + count * 32,
        sampling: count % 2 ? 'yuvj420p' : 'yuvj422p',
        bare: count > 2,
        segments: count === 4 ? [segment(0xfe, 'Optimized by JPEGmini')] : [],
      }),
    ),
  ]
}

export const picturesOfPhones = () => [...galaxies(), ...googles(), ...iphones(), ...others()]
