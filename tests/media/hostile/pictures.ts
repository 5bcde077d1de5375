import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { makeMedia, makePicture } from '../support/make-media'
import { halfPictures } from './half-pictures'
import { corrupt, image, ok, type Sample, text, truncations, unsupported } from './sample'

const u32 = (value: number) => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}
const u32le = (value: number) => u32(value).reverse()

/** A PNG chunk with its true checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([text(type), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

const pngHead = Buffer.from('89504e470d0a1a0a', 'hex')
const pngHeader = (width: number, height: number, depth = 1, colour = 0) =>
  chunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([depth, colour, 0, 0, 0])]))
const pngOf = (...chunks: Buffer[]) => Buffer.concat([pngHead, ...chunks, chunk('IEND', Buffer.alloc(0))])
const emptyPng = (width: number, height: number, pixels: Buffer) => pngOf(pngHeader(width, height), chunk('IDAT', pixels))

/** Puts chunks right behind the header. */
const stuffed = (png: Buffer, ...chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

/** The shortest archive: an end of directory and nothing else; with a comment it may end anywhere. */
const zip = Buffer.concat([text('PK\x05\x06'), Buffer.alloc(18)])

async function pngs(png: Buffer, folder: string): Promise<Sample[]> {
  const [bomb, larger] = [deflateSync(Buffer.alloc(100_000_000)), deflateSync(Buffer.alloc(1 << 28))]
  const rows = Buffer.alloc(320 * (1 + 320 / 8))
  const gray = (pixels: Buffer) => emptyPng(320, 320, pixels)
  const apng = await readFile(
    await makeMedia(folder, 'x.apng', ['-f', 'lavfi', '-t', '1', '-i', 'testsrc2=size=320x320:rate=5', '-f', 'apng']),
  )
  return [
    image('PNG of 30,000² in a few kilobytes', emptyPng(30_000, 30_000, deflateSync(Buffer.alloc(30_000 * 3_751))), ['media_dimensions']),
    image('PNG of 5,760² that holds no pixel', emptyPng(5_760, 5_760, deflateSync(Buffer.alloc(10))), corrupt),
    image('PNG whose pixels inflate to 100 MB more', emptyPng(640, 640, bomb), corrupt),
    image(
      'PNG whose pixels inflate to 7 GiB',
      pngOf(pngHeader(640, 640), ...Array.from({ length: 28 }, () => chunk('IDAT', larger))),
      corrupt,
    ),
    image('PNG with 5 MiB of text', stuffed(png, chunk('tEXt', Buffer.concat([text('c\0'), Buffer.alloc(5 << 20, 'a')]))), ok),
    image(
      'PNG with 2 MiB of compressed profile',
      stuffed(png, chunk('iCCP', Buffer.concat([text('p\0\0'), Buffer.alloc(2 << 20, 'a')]))),
      ok,
    ),
    image(
      'PNG with ten texts that inflate to 256 MiB each',
      stuffed(png, ...Array.from({ length: 10 }, () => chunk('zTXt', Buffer.concat([text('c\0\0'), larger])))),
      ok,
    ),
    image(
      'PNG with ten profiles that inflate to 100 MB',
      stuffed(png, ...Array.from({ length: 10 }, () => chunk('iCCP', Buffer.concat([text('p\0\0'), bomb])))),
      ok,
    ),
    image('APNG', apng, unsupported),
    image('PNG with a wrong checksum', Buffer.concat([png.subarray(0, 60), Buffer.from([(png[60] ?? 0) ^ 1]), png.subarray(61)]), corrupt),
    image('PNG of 0 × 640', emptyPng(0, 640, deflateSync(Buffer.alloc(10))), ['media_dimensions', ...corrupt]),
    image('PNG of 2³¹ × 2³¹', emptyPng(0x7fffffff, 0x7fffffff, deflateSync(Buffer.alloc(10))), ['media_dimensions']),
    image('PNG and an archive', Buffer.concat([png, zip]), ok),
    image('PNG that holds an archive in a text', stuffed(png, chunk('tEXt', Buffer.concat([text('c\0'), zip]))), ok),
    image('PNG with a page in its text', stuffed(png, chunk('tEXt', text('c\0<html><script>alert(1)</script>'))), ok),
    image('PNG of its rows', gray(deflateSync(rows)), ok),
    image('PNG with half its rows', gray(deflateSync(rows.subarray(rows.length / 2))), corrupt),
    image('PNG with a row too many', gray(deflateSync(Buffer.concat([rows, Buffer.alloc(41)]))), corrupt),
    image('PNG with a byte missing', gray(deflateSync(rows.subarray(1))), corrupt),
    image('PNG with a cut deflate stream', gray(deflateSync(rows).subarray(0, -5)), corrupt),
    image(
      'PNG animated behind 20,000 chunks',
      stuffed(png, ...Array.from({ length: 20_000 }, () => chunk('tEXt', text('c'))), chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))),
      unsupported,
    ),
    ...truncations(image, 'PNG', png, corrupt),
  ]
}

function jpegs(jpeg: Buffer): Sample[] {
  const comment = (words: Buffer) =>
    Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xfe, (words.length + 2) >> 8, (words.length + 2) & 255]),
      words,
      jpeg.subarray(2),
    ])
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const withSize = (width: number, height: number) => {
    const copy = Buffer.from(jpeg)
    copy.writeUInt16BE(height, frame + 5)
    copy.writeUInt16BE(width, frame + 7)
    return copy
  }
  const frameHeader = jpeg.subarray(frame, frame + 2 + jpeg.readUInt16BE(frame + 2))
  return [
    image('JPEG', jpeg, ok),
    image('JPEG with zeros behind its end', Buffer.concat([jpeg, Buffer.alloc(512)]), ok),
    image('JPEG with a second picture behind it, as phones write', Buffer.concat([jpeg, jpeg]), ok),
    image('JPEG and an archive', Buffer.concat([jpeg, zip]), ok),
    image(
      'JPEG whose end is an archive’s comment',
      Buffer.concat([
        jpeg.subarray(0, 2),
        Buffer.from([0xff, 0xfe, 0, 24 + 2 - 2]),
        zip.subarray(0, 20),
        Buffer.from([(jpeg.length - 2) & 255, (jpeg.length - 2) >> 8]),
        jpeg.subarray(2),
      ]),
      ok,
    ),
    image('JPEG and a page', Buffer.concat([jpeg, text('<html><body>x</body></html>')]), ok),
    image('JPEG with a page in its comment', comment(text('<script>alert(1)</script>')), ok),
    image('JPEG and a movie behind it', Buffer.concat([jpeg, Buffer.from([0, 0, 0, 16]), text('ftypisom\0\0\0\0')]), ok),
    image('JPEG that says 65,535²', withSize(65_535, 65_535), ['media_dimensions']),
    image('JPEG that says 5,000²', withSize(5_000, 5_000), corrupt),
    image(
      'JPEG of 12 bits a colour',
      Buffer.concat([jpeg.subarray(0, frame + 4), Buffer.from([12]), jpeg.subarray(frame + 5)]),
      unsupported,
    ),
    image('JPEG of two frame headers', Buffer.concat([jpeg.subarray(0, frame), frameHeader, jpeg.subarray(frame)]), corrupt),
    image('JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), [...corrupt, ...unsupported]),
    ...truncations(image, 'JPEG', jpeg, corrupt),
  ]
}

function webps(webp: Buffer): Sample[] {
  const riff = (chunks: Buffer) => Buffer.concat([text('RIFF'), u32le(chunks.length + 4), text('WEBP'), chunks])
  const piece = (type: string, data: Buffer) => Buffer.concat([text(type), u32le(data.length), data, Buffer.alloc(data.length % 2)])
  const still = webp.subarray(12)
  const extended = (flags: number) => piece('VP8X', Buffer.from([flags, 0, 0, 0, 63, 1, 0, 63, 1, 0]))
  const animated = Array.from({ length: 10_000 }, () => piece('ANMF', Buffer.concat([Buffer.alloc(16), still.subarray(0, 200)])))
  const at = webp.indexOf('VP8 ', 0, 'latin1')
  const lossy = webp.subarray(at + 8, at + 8 + webp.readUInt32LE(at + 4))
  const part = (share: number) => lossy.subarray(0, Math.floor(lossy.length * share))
  const lying = Buffer.from(webp)
  lying.writeUInt32LE(webp.length * 2, 4)
  return [
    image('WebP', webp, ok),
    image('WebP animated with 10,000 frames', riff(Buffer.concat([extended(2), piece('ANIM', Buffer.alloc(6)), ...animated])), unsupported),
    image('WebP with frames but no flag', riff(Buffer.concat([extended(0), ...animated.slice(0, 3)])), unsupported),
    image('WebP of two pictures', riff(Buffer.concat([still, still])), corrupt),
    image(
      'WebP of a second picture behind 10,000 chunks',
      riff(Buffer.concat([still, ...Array(10_000).fill(piece('junk', text(''))), still])),
      corrupt,
    ),
    image(
      'WebP of a canvas of 16,000² over 320²',
      riff(Buffer.concat([piece('VP8X', Buffer.from('000000007f3e007f3e00', 'hex')), still])),
      corrupt,
    ),
    ...[1, 5, 9].map(tenth => image(`WebP with ${tenth}/10 of its data, its lengths true`, riff(piece('VP8 ', part(tenth / 10))), corrupt)),
    image('WebP that lies about its length', lying, corrupt),
    image('WebP and an archive', Buffer.concat([webp, zip]), ok),
    ...truncations(image, 'WebP', webp, corrupt),
  ]
}

export async function pictures(folder: string): Promise<Sample[]> {
  const made = async (name: string) => readFile(await makePicture(folder, name, 320, 320))
  const [jpeg, png, webp] = [await made('x.jpg'), await made('x.png'), await made('x.webp')]
  return [...jpegs(jpeg), ...(await pngs(png, folder)), ...webps(webp), ...halfPictures(png, webp)]
}
