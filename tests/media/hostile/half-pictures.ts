import { deflateSync, inflateSync } from 'node:zlib'
import { chunk } from '../corpus/build/png'
import { corrupt, image, type Sample, text, unsupported } from './sample'

const u32 = (value: number) => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}
const u32le = (value: number) => u32(value).reverse()
const u24le = (value: number) => u32le(value).subarray(0, 3)

/** The packed pixels of a PNG, whole. */
function pixelsOf(png: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  return Buffer.concat(parts)
}

/** Pictures that end early, in files whose every checksum is true. */
export function halfPictures(png: Buffer, webp: Buffer): Sample[] {
  const packed = pixelsOf(png)
  const rows = inflateSync(packed)
  const withPixels = (pixels: Buffer) => Buffer.concat([png.subarray(0, 33), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
  const spoiled = Buffer.from(packed)
  spoiled[spoiled.length - 1] = (spoiled[spoiled.length - 1] ?? 0) ^ 1
  const still = webp.subarray(12)
  const data = still.subarray(8)
  const riff = (pieces: Buffer) => Buffer.concat([text('RIFF'), u32le(pieces.length + 4), text('WEBP'), pieces])
  const piece = (type: string, body: Buffer) => Buffer.concat([text(type), u32le(body.length), body, Buffer.alloc(body.length % 2)])
  const canvas = (width: number, height: number) =>
    riff(Buffer.concat([piece('VP8X', Buffer.concat([Buffer.alloc(4), u24le(width - 1), u24le(height - 1)])), still]))
  const many = (type: string) => Array.from({ length: 10_000 }, () => chunk(type, text('a\0b')))
  return [
    image('PNG of half its rows', withPixels(deflateSync(rows.subarray(0, rows.length >> 1))), corrupt),
    image('PNG of all rows but one', withPixels(deflateSync(rows.subarray(0, rows.length - 961))), corrupt),
    image('PNG that lacks its last byte', withPixels(deflateSync(rows.subarray(0, rows.length - 1))), corrupt),
    image('PNG whose deflate stream is cut', withPixels(packed.subarray(0, Math.floor(packed.length * 0.7))), corrupt),
    image('PNG whose deflate stream lacks its end', withPixels(packed.subarray(0, packed.length - 6)), corrupt),
    image('PNG whose deflate stream has a wrong sum', withPixels(spoiled), corrupt),
    image(
      'PNG with an animation behind 10,000 texts',
      Buffer.concat([png.subarray(0, 33), ...many('tEXt'), chunk('acTL', Buffer.concat([u32(2), u32(0)])), png.subarray(33)]),
      [...unsupported, ...corrupt],
    ),
    image(
      'PNG with a second header behind 10,000 texts',
      Buffer.concat([png.subarray(0, 33), ...many('tEXt'), png.subarray(8, 33), png.subarray(33)]),
      corrupt,
    ),
    ...[2, 4, 10].map(part =>
      image(
        `WebP with 1/${part} of its data`,
        riff(piece(still.toString('latin1', 0, 4), data.subarray(0, Math.floor(data.length / part)))),
        corrupt,
      ),
    ),
    image('WebP with a canvas of 16,000² over 320²', canvas(16_000, 16_000), ['media_dimensions', ...corrupt]),
    image('WebP with a canvas of 640 × 480 over 320²', canvas(640, 480), corrupt),
    image('WebP with a canvas of 100² over 320²', canvas(100, 100), ['media_dimensions', ...corrupt]),
    image(
      'WebP with frames behind 10,000 chunks',
      riff(
        Buffer.concat([
          piece('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), u24le(319), u24le(319)])),
          ...Array.from({ length: 10_000 }, () => piece('abcd', Buffer.alloc(2))),
          piece('ANMF', Buffer.concat([Buffer.alloc(16), still])),
        ]),
      ),
      [...unsupported, ...corrupt],
    ),
  ]
}
