import { crc32 } from 'node:zlib'
import { Failure } from '@filmgate/kit/failure'

/** Private metadata of cameras and phones, which no copy may contain. */
export const secrets = [
  'SERIAL-4711',
  'Jane Doe',
  '52.5163',
  'NOTE-OF-THE-MAKER',
  'THUMBNAIL',
  'adobe:ns:meta',
  'a comment',
  'SECOND-PICTURE',
]

const be16 = (value: number) => Buffer.from([value >> 8, value & 255])
const be32 = (value: number) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])
const le32 = (value: number) => be32(value).reverse()

/** An EXIF block with this orientation, in either byte order, and private entries: names, a position, a thumbnail. */
export function exifBlock(orientation: number, order: 'II' | 'MM' = 'MM'): Buffer {
  const u16 = (value: number) => (order === 'MM' ? be16(value) : be16(value).reverse())
  const u32 = (value: number) => (order === 'MM' ? be32(value) : le32(value))
  const text = Buffer.from(`${secrets.join('\0')}\0`)
  const entry = (tag: number, type: number, count: number, value: Buffer) => Buffer.concat([u16(tag), u16(type), u32(count), value])
  const behind = 8 + 2 + 4 * 12 + 4
  return Buffer.concat([
    Buffer.from(order),
    u16(42),
    u32(8),
    u16(4),
    entry(0x010f, 2, text.length, u32(behind)),
    entry(0x0112, 3, 1, Buffer.concat([u16(orientation), u16(0)])),
    entry(0x013b, 2, text.length, u32(behind)),
    entry(0x8825, 4, 1, u32(behind)),
    u32(behind),
    text,
  ])
}

/** Long enough to be split, and valid by its header. */
export function colourProfile(bytes = 600): Buffer {
  const profile = Buffer.alloc(bytes, 'colour')
  profile.writeUInt32BE(bytes, 0)
  profile.write('mntrRGB XYZ ', 12, 'latin1')
  profile.write('acsp', 36, 'latin1')
  return profile
}

export const jpegSegment = (marker: number, ...data: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(data.map(each => Buffer.from(each as string, 'latin1')))
  return Buffer.concat([Buffer.from([0xff, marker]), be16(body.length + 2), body])
}

/** Inserts segments after the start marker. */
export const withSegments = (jpeg: Buffer, ...segments: Buffer[]) => Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

export const pngChunk = (type: string, data: Buffer | string): Buffer => {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(data as string, 'latin1')])
  return Buffer.concat([be32(body.length - 4), body, be32(crc32(body))])
}

export const pngOf = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, pngChunk('IEND', '')])
export const pngHeader = (width: number, height: number, depth: number, colour: number, interlace = 0) =>
  pngChunk('IHDR', Buffer.concat([be32(width), be32(height), Buffer.from([depth, colour, 0, 0, interlace])]))

/** Inserts chunks after the header. */
export const withChunks = (png: Buffer, ...chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

export function pngChunks(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)) })
  return chunks
}

export const webpChunk = (type: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(type), le32(data.length), data, Buffer.alloc(data.length % 2)])

export const webpOf = (...chunks: Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return Buffer.concat([Buffer.from('RIFF'), le32(body.length), body])
}

export const webpHead = (flags: number, width: number, height: number): Buffer => {
  const head = Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  head.writeUIntLE(width - 1, 4, 3)
  head.writeUIntLE(height - 1, 7, 3)
  return webpChunk('VP8X', head)
}

/** `taken`, or the cleaner's rejection. */
export const outcomeOf = (cleaned: Promise<unknown>): Promise<string> =>
  cleaned.then(
    () => 'taken',
    error => (error instanceof Failure ? `${error.reason}: ${(error.options.details as { measured: string }).measured}` : String(error)),
  )

/** Permitted outcomes for arbitrary bytes: never an unexpected error. */
export const outcomeForm = /^(?:taken|media_(?:corrupt|type_unsupported): .+)$/
